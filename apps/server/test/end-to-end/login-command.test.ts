import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { exchangeCodeFor } from '../exchange-codes.ts';
import type { TestAccount, TestIdentity } from '../identity.ts';
import { startTestIdentity } from '../identity.ts';
import type { LoginTerminal, RunningCommand } from '../login-terminal.ts';
import { openLoginTerminal, printedAddress } from '../login-terminal.ts';

let stage: TestIdentity;
let account: TestAccount;
let server: string;
let terminal: LoginTerminal;
beforeAll(async () => {
  stage = await startTestIdentity();
  account = await stage.createAccount();
  server = `http://127.0.0.1:${stage.app.port}`;
});
beforeEach(async () => {
  // Every command comes from one address: without this the limiter would refuse the later tests.
  stage.clock.advance({ minutes: 2 });
  terminal = await openLoginTerminal(server);
});
afterEach(() => terminal.remove());
afterAll(() => stage.stop());

/** Simulates the browser: signs in at the printed address and follows the redirect. */
async function signInWithBrowser(command: RunningCommand, change: (callback: URL) => void = () => {}) {
  const { searchParams } = await printedAddress(command);
  const codeChallenge = searchParams.get('code_challenge');
  const code = await exchangeCodeFor(stage.identity, account.id, codeChallenge);
  const callback = new URL(`http://localhost:${searchParams.get('port')}/callback`);
  callback.search = new URLSearchParams({ token: code, state: searchParams.get('state')! }).toString();
  change(callback);
  const page = await fetch(callback);
  return { status: page.status, body: await page.text() };
}

async function signIn(url = server): Promise<void> {
  const command = terminal.start(`login --no-browser --url ${url}`);
  await signInWithBrowser(command);
  expect(await command.ended).toMatchObject({ code: 0, error: '' });
}

const refreshes = async (): Promise<number> => {
  const [row] = await stage.database.asSuperuser(
    'SELECT count(*)::int AS used FROM identity.refresh_token WHERE used_at IS NOT NULL',
  );
  return (row as { used: number }).used;
};
const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

describe('from sign-in to sign-out', () => {
  test('login, whoami, token, logout', async () => {
    const command = terminal.start('login --no-browser');
    const page = await signInWithBrowser(command);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('You are signed in') as string });
    const { code, out, error } = await command.ended;
    expect([code, error]).toEqual([0, '']);
    expect(out).toContain(`Signed in at ${server} as ${account.email}.`);
    expect(await mode(terminal.folder)).toBe('700');
    expect(await mode(join(terminal.folder, 'credentials.json'))).toBe('600');
    const { accessToken, refreshToken } = (await terminal.storedCredentials(server))!;
    for (const secret of [accessToken, refreshToken]) expect(out).not.toContain(secret);
    expect(await terminal.run('whoami')).toMatchObject({
      code: 0,
      out: `Member 1 <${account.email}>, owner, at ${server}\n  team-1  Team 1, owner\n`,
    });
    expect(await terminal.run('token')).toEqual({ code: 0, out: `${accessToken}\n`, error: '' });
    expect(await terminal.run('logout')).toMatchObject({ code: 0, out: `Signed out at ${server}.\n` });
    const refreshed = await stage.post('/api/auth/token/refresh', { refresh_token: refreshToken });
    expect(refreshed.status).toBe(401);
    expect(await terminal.run('token')).toEqual({
      code: 1,
      out: '',
      error: `you are not signed in at ${server}; run: daybook login\n`,
    });
    expect(await terminal.run('logout')).toMatchObject({
      code: 0,
      out: `You were not signed in at ${server}.\n`,
    });
  });

  test('organizations are listed, created and switched; errors are explained', async () => {
    await signIn();
    const line = `organizations create crafts Arts and crafts`;
    expect(await terminal.run(line)).toMatchObject({ code: 0, out: 'Current organization: crafts.\n' });
    stage.clock.advance({ milliseconds: 900 });
    const listed = (await terminal.run('organizations')).out;
    expect(listed.split('\n').sort().join('\n')).toBe(
      '\n  team-1  Team 1, owner\n* crafts  Arts and crafts, owner',
    );
    expect(await terminal.run('organizations switch team-1')).toMatchObject({ code: 0 });
    stage.clock.advance({ milliseconds: 900 });
    expect((await terminal.run('organizations')).out).toContain('* team-1');
    expect(await terminal.run('organizations switch nobodys')).toMatchObject({
      code: 1,
      error: 'you are not a member of nobodys; list your organizations with daybook organizations\n',
    });
    expect((await terminal.run('organizations create crafts Again')).error).toContain('This key is taken');
    expect((await terminal.run('organizations rename')).error).toContain('usage: daybook organizations');
  });

  test('a second login replaces the first, whose session ends', async () => {
    await signIn();
    const first = (await terminal.storedCredentials(server))!;
    await signIn();
    expect((await terminal.storedCredentials(server))!.refreshToken).not.toBe(first.refreshToken);
    const { status } = await stage.post('/api/auth/token/refresh', { refresh_token: first.refreshToken });
    expect(status).toBe(401);
    expect(await terminal.run('whoami')).toMatchObject({ code: 0 });
  });

  test('passes the address to the browser as one argument', async () => {
    const [opener, note] = [join(terminal.folder, '..', 'xdg-open'), join(terminal.folder, '..', 'opened')];
    await writeFile(
      opener,
      `#!/bin/sh\nprintf '%s|%s' "$#" "$1" > '${note}.part'\n/bin/mv '${note}.part' '${note}'\n`,
    );
    await chmod(opener, 0o755);
    const command = terminal.start('login', { PATH: join(terminal.folder, '..') });
    const address = await printedAddress(command);
    await expect.poll(() => readFile(note, 'utf8').catch(() => null)).toBe(`1|${address.href}`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      source: 'api',
      port: expect.stringMatching(/^\d{5}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    command.child.kill('SIGKILL');
    await command.ended;
  });

  test('a code that the server refuses is reported in the browser and at the terminal', async () => {
    const command = terminal.start('login --no-browser');
    const page = await signInWithBrowser(command, (callback) =>
      callback.searchParams.set('token', 'f'.repeat(64)),
    );
    expect(page).toMatchObject({
      status: 502,
      body: expect.stringContaining('Sign-in failed') as string,
    });
    expect(await command.ended).toMatchObject({
      code: 1,
      error: 'The code is unknown, expired or already used\n',
    });
    expect(await terminal.run('whoami')).toMatchObject({ code: 1 });
  });
});

describe('refreshing', () => {
  test('a token is reused for 55 minutes and then refreshed; the new one works', async () => {
    await signIn();
    const first = (await terminal.storedCredentials(server))!;
    await terminal.age(server, 54);
    expect((await terminal.run('token')).out.trim()).toBe(first.accessToken);
    await terminal.age(server, 2);
    const { out } = await terminal.run('token');
    expect(out.trim()).not.toBe(first.accessToken);
    expect(await terminal.storedCredentials(server)).toMatchObject({ accessToken: out.trim() });
    expect((await stage.get('/api/v1/me', { authorization: `Bearer ${out.trim()}` })).status).toBe(200);
  });

  test('of eight concurrent processes one refreshes, and all print its token', async () => {
    await signIn();
    await terminal.age(server, 56);
    const before = await refreshes();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => terminal.run('token')));
    expect(new Set(outcomes.map(({ out }) => out)).size).toBe(1);
    expect(outcomes.map(({ code, error }) => [code, error])).toEqual(
      Array.from({ length: 8 }, () => [0, '']),
    );
    expect((await refreshes()) - before).toBe(1);
  });

  test('a session that was ended elsewhere is reported and removed', async () => {
    await signIn();
    const { refreshToken } = (await terminal.storedCredentials(server))!;
    await stage.post('/api/auth/token/revoke', { refresh_token: refreshToken });
    stage.clock.advance({ seconds: 2 });
    const ended = `your session at ${server} has ended; sign in again: daybook login\n`;
    expect(await terminal.run('whoami')).toMatchObject({ code: 1, error: ended });
    await terminal.age(server, 56);
    expect(await terminal.run('token')).toMatchObject({ code: 1, out: '', error: ended });
    expect(await terminal.storedCredentials(server)).toBeNull();
  });
});

describe('kill -9 in the middle of a refresh', () => {
  type Moment = 'before the server hears of it' | 'before the answer arrives';

  /** A proxy between a command and the server that kills the command at its refresh, once. */
  async function startKiller(moment: Moment) {
    const victims: RunningCommand[] = [];
    const proxy = createServer((request, response) => {
      const pass = async (): Promise<void> => {
        const victim = request.url?.endsWith('/refresh') === true ? victims.pop() : undefined;
        if (victim !== undefined && moment === 'before the server hears of it') {
          victim.child.kill('SIGKILL');
          return;
        }
        const answer = await fetch(`${server}${request.url}`, {
          method: 'POST',
          body: await text(request),
          headers: { 'content-type': 'application/json', 'user-agent': request.headers['user-agent'] ?? '' },
        });
        if (victim !== undefined) victim.child.kill('SIGKILL');
        else
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      };
      void pass();
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, proxy, victims };
  }

  test.each<[Moment, 'goes on' | 'is over']>([
    ['before the server hears of it', 'goes on'],
    ['before the answer arrives', 'is over'],
  ])('%s: the file is complete, no lock is left, and the session %s', async (moment, then) => {
    const { url, proxy, victims } = await startKiller(moment);
    await signIn(url);
    await terminal.age(url, 56);
    const command = terminal.start(`token --url ${url}`);
    victims.push(command);
    expect(await command.ended).toMatchObject({ code: null, out: '' });
    expect(await terminal.storedCredentials(url)).not.toBeNull();
    const next = await terminal.run(`token --url ${url}`);
    expect([next.code, /sign in again/.test(next.error)]).toEqual(
      then === 'goes on' ? [0, false] : [1, true],
    );
    expect((await terminal.storedCredentials(url)) === null).toBe(then === 'is over');
    await signIn(url);
    proxy.close();
  });
});

describe('error messages', () => {
  test.each([
    [
      'whoami --url http://127.0.0.1:1',
      /^you are not signed in at http:\/\/127\.0\.0\.1:1; run: daybook login\n$/,
    ],
  ])('%s', async (words, complaint) => {
    expect(await terminal.run(words)).toMatchObject({
      code: 1,
      error: expect.stringMatching(complaint) as string,
    });
  });

  test.each([
    ['login --url daybook.example', /^"daybook\.example" is not a server URL/],
    ['login --url http://daybook.example', /does not use TLS/],
    ['login --port 1', /^Unknown option '--port'\nusage: daybook login \[--url <url>\] \[--no-browser\]\n$/],
  ])('%s is an invalid use: exit code 2', async (words, complaint) => {
    expect(await terminal.run(words)).toMatchObject({
      code: 2,
      error: expect.stringMatching(complaint) as string,
    });
  });

  test('an unreachable server is named with the reason, and a logout then removes nothing', async () => {
    const away = createServer((_request, response) => response.destroy());
    await once(away.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    const content = {
      version: 1,
      servers: { [url]: { refreshToken: 'r', issuedAtMs: 0, lifetimeSeconds: 1 } },
    };
    await terminal.run('logout');
    await writeFile(join(terminal.folder, 'credentials.json'), JSON.stringify(content), { mode: 0o600 });
    for (const words of ['logout', 'token'])
      expect(await terminal.run(`${words} --url ${url}`)).toMatchObject({
        code: 1,
        error: expect.stringMatching(new RegExp(`^${url} cannot be reached\n  .+\n$`)) as string,
      });
    expect(await terminal.storedCredentials(url)).not.toBeNull();
    away.close();
  });

  test('the command line of the server has the same four', async () => {
    const daybook = fileURLToPath(new URL('../../src/bin/daybook.ts', import.meta.url));
    const child = spawn(process.execPath, [daybook, 'whoami'], {
      env: { XDG_CONFIG_HOME: join(terminal.folder, '..'), DAYBOOK_URL: server },
    });
    expect(await text(child.stderr)).toBe(`you are not signed in at ${server}; run: daybook login\n`);
  });
});
