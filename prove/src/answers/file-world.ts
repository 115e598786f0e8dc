import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { StageOrganization, StagePerson } from '../storage/access-askers.ts';
import { addGuest, givePolicies, organizationOf, signUp } from '../storage/access-askers.ts';
import { runTextReading, runInspection } from '../storage/run-upkeep.ts';
import type { FileAsker, FileState, Right, WorldAgent, WorldFile, WorldProject } from './file-facts.ts';
import { Spans } from './spans.ts';

type Headers = Readonly<Record<string, string>>;

/** Processes cache permissions for at most so long. */
const knownForMs = 1_000;
/** A control is asked only of rights and files that have not changed for so long. */
const settledMs = 1_500;
const secondSession = 'guest, second session';
const marks = /€\d+\.\d million/gu;

/**
 * Files of an organization whose members, guests and tokens of every mode ask agents about them, while shares begin and
 * end, files are replaced, moved, deleted and restored, and projects deleted and restored.
 */
export class FileWorld {
  readonly faults: string[] = [];
  readonly counts = { asked: 0, quoted: 0, refused: 0, read: 0, changes: 0, controls: 0, missed: 0 };
  readonly askers: FileAsker[] = [];
  readonly #stage: StorageStage;
  readonly #ports: readonly number[];
  readonly #random: () => number;
  readonly #files: WorldFile[] = [];
  readonly #projects: WorldProject[] = [];
  readonly #agents: WorldAgent[] = [];
  #organization: StageOrganization = { id: '', key: '' };
  #ownerName = '';
  #marked = 0;

  constructor(stage: StorageStage, ports: readonly number[], random: () => number) {
    [this.#stage, this.#ports, this.#random] = [stage, ports, random];
  }

  async open(files: number): Promise<void> {
    this.#organization = await organizationOf(this.#stage, this.#stage.account.id);
    this.#ownerName = this.#stage.account.email.replace(/@.*/u, '');
    for (const name of ['North', 'South', 'East'])
      this.#projects.push({ id: await this.#stage.newProject(name), live: new Spans(true) });
    for (let at = 0; at < files; at += 1) await this.#createFile(at);
    await this.#derive();
    const [north = { id: '' }] = this.#projects;
    await this.#createAgent('Everything', ['news', 'files'], null);
    await this.#createAgent('North', ['files'], north.id);
    await this.#createAgent('News', ['news'], null);
    await this.#createAskers(north.id);
  }

  async #createAgent(name: string, sources: readonly string[], project: string | null): Promise<void> {
    const path = `/dm/api/ai-mentor/orgs/${this.#organization.key}/users/${this.#ownerName}`;
    const body = { template_name: 'ai-mentor', new_mentor_name: name };
    const made = await this.#owner('POST', `${path}/mentor-with-settings/`, body);
    const { unique_id: id } = made.json<{ unique_id: string }>();
    const settings = { sources, file_projects: project === null ? [] : [project] };
    await this.#owner('PATCH', `${path}/mentors/${id}/settings/`, settings);
    this.#agents.push({ id, readsFiles: sources.includes('files'), project });
  }

  async #createAskers(north: string): Promise<void> {
    const { key } = this.#organization;
    const all: Right = { kind: 'all', id: '' };
    const add = (
      name: string,
      username: string,
      headers: Headers,
      right: Right | null,
      status = 201,
    ): void => {
      const rights = new Map<string, Spans<Right | null>>([['own', new Spans(right)]]);
      this.askers.push({ name, username, headers, status, rights, answers: [] });
    };
    add('owner', this.#ownerName, this.#stage.headers, all);
    const agentsOf = `/organizations/${key}/agents`;
    const asking = {
      actions: ['Daybook.Agents/Agents/read', 'Daybook.Agents/Answers/*'],
      resources: [agentsOf, `${agentsOf}/**`],
    };
    for (const role of ['admin', 'member', 'viewer', 'guest', 'guest', 'guest', 'stranger']) {
      const person = await signUp(this.#stage);
      if (role !== 'stranger') await addGuest(this.#stage, this.#organization, person);
      if (role === 'guest') await givePolicies(this.#stage, this.#organization, person, [asking]);
      else if (role !== 'stranger')
        await this.#owner('PATCH', `/dm/api/core/rbac/members/${person.username}?platform_key=${key}`, {
          role,
        });
      const isIn = ['admin', 'member', 'viewer'].includes(role);
      const status = { viewer: 403, stranger: 404 }[role] ?? 201;
      add(role, person.username, person.bearer, isIn ? all : null, status);
      // API keys are for the data endpoints only.
      if (role === 'member') add('member, API key', person.username, await person.apiKey(), null, 401);
      if (role === 'guest') add(secondSession, person.username, await this.#signIn(person), null);
    }
    // The second session of a guest has the shares of the guest.
    for (const asker of this.askers.filter(({ name }) => name === secondSession)) {
      const guest = this.askers.find(({ name, username }) => name === 'guest' && username === asker.username);
      if (guest !== undefined) Object.assign(asker, { rights: guest.rights });
    }
    const inNorth = `/organizations/${key}/projects/${north}`;
    const reading = { actions: ['Daybook.Storage/*/read'], resources: [inNorth, `${inNorth}/**`] };
    add('owner token', this.#ownerName, await this.#token('everything', null), all);
    add('asking token', this.#ownerName, await this.#token('asks', [asking]), null);
    const north1 = await this.#token('asks north', [asking, reading]);
    add('token of one project', this.#ownerName, north1, { kind: 'project', id: north });
    add('reading token', this.#ownerName, await this.#token('reads', [reading]), null, 404);
  }

  async #signIn(person: StagePerson): Promise<Headers> {
    const answer = await send(this.#ports[0] ?? 0, '/api/auth/token', { json: grantOf(person) });
    return { authorization: `Bearer ${answer.json<{ access_token: string }>().access_token}` };
  }

  /** Null: in owner mode. */
  async #token(
    name: string,
    policies:
      | readonly { readonly actions: readonly string[]; readonly resources: readonly string[] }[]
      | null,
  ): Promise<Headers> {
    const platform_key = this.#organization.key;
    const numbers: number[] = [];
    for (const [at, policy] of (policies ?? []).entries()) {
      const made = await this.#owner('POST', '/dm/api/core/rbac/policies/', {
        platform_key,
        name: `${name} ${at}`,
        ...policy,
      });
      numbers.push(made.json<{ id: number }>().id);
    }
    const common = { username: this.#ownerName, name, key: '', platform_key };
    const created = { created: '2026-11-15T00:00:00Z', expires: '' };
    const mode = policies === null ? {} : { mode: 'token_policies', policies_to_add: numbers };
    const path = '/dm/api/core/platform/api-tokens/';
    const made = await this.#owner('POST', path, { ...common, ...created, ...mode });
    return { authorization: `Api-Token ${made.json<{ key: string }>().key}` };
  }

  async #owner(method: string, path: string, json?: unknown): Promise<StageAnswer> {
    const answer = await this.#stage.ask(method, path, json);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  #newMark(): string {
    this.#marked += 1;
    return `€${1_000 + this.#marked}.${1 + (this.#marked % 9)} million`;
  }

  async #store(path: string, { company, mark }: { readonly company: string; readonly mark: string }) {
    const text = `Memo about ${company}\n\n${company} spent ${mark} on servers in October.\n`;
    const headers = { ...this.#stage.headers, 'content-type': 'text/plain' };
    const { port = 0 } = this.#stage.processes[0] ?? {};
    const answer = await sendBytes(port, { method: 'POST', path, headers }, Buffer.from(text));
    if (answer?.status !== 201) throw new Error(`not stored: ${answer?.body.toString() ?? ''}`);
    return (JSON.parse(answer.body.toString()) as { id: string }).id;
  }

  async #createFile(at: number): Promise<void> {
    const [company, mark] = [`Quen${at}dale`, this.#newMark()];
    const { id: project } = pick(this.#random, this.#projects);
    const path = `/api/v1/projects/${project}/files?name=memo-${at}.txt`;
    const id = await this.#store(path, { company, mark });
    this.#files.push({ id, company, states: new Spans({ project, mark, isLive: true }) });
  }

  /** As workers do every two seconds. */
  async #derive(): Promise<void> {
    await runInspection(this.#stage.upkeep);
    await runTextReading(this.#stage.upkeep);
  }

  /** One caller asks an agent about a file, and sometimes reads an earlier answer again. */
  async ask(asker: FileAsker): Promise<void> {
    const [agent, file] = [pick(this.#random, this.#agents), pick(this.#random, this.#files)];
    const path = `${this.#pathOf(asker)}/mentors/${agent.id}/answers/`;
    const startedAt = performance.now();
    const question = `How much did ${file.company} spend on servers in October?`;
    const answer = await this.#send(asker, 'POST', path, { question });
    this.counts.asked += 1;
    if (answer.status !== asker.status) this.faults.push(`${asker.name} got ${answer.status}`);
    const quotes = this.#expectReadable(asker, agent, answer, startedAt);
    if (answer.status !== 201) {
      this.counts.refused += 1;
      return;
    }
    if (quotes > 0) this.counts.quoted += 1;
    this.#control({ asker, agent, file, answer, startedAt });
    asker.answers.push(`${path}${answer.json<{ id: string }>().id}/`);
    if (this.#random() < 0.3) await this.#readAgain(asker, agent);
  }

  async #readAgain(owner: FileAsker, agent: WorldAgent): Promise<void> {
    const path = pick(this.#random, owner.answers);
    // Another credential of the same account may read it, with its own rights.
    const readers = this.askers.filter(({ username }) => username === owner.username);
    const reader = pick(this.#random, readers);
    const startedAt = performance.now();
    const answer = await this.#send(reader, 'GET', path);
    this.counts.read += 1;
    const of = this.#agents.find(({ id }) => path.includes(id)) ?? agent;
    this.#expectReadable(reader, of, answer, startedAt);
  }

  #pathOf({ username }: FileAsker): string {
    return `/dm/api/ai-mentor/orgs/${this.#organization.key}/users/${username}`;
  }

  #send({ headers }: FileAsker, method: string, path: string, json?: unknown): Promise<StageAnswer> {
    const more = json === undefined ? {} : { json };
    return send(pick(this.#random, this.#ports), path, { method, headers, ...more });
  }

  /** Every mark in the answer is that of a file that was readable at a moment of the request. */
  #expectReadable(asker: FileAsker, agent: WorldAgent, { text }: StageAnswer, startedAt: number): number {
    const found = new Set(text.match(marks));
    for (const mark of found) {
      const span = { from: startedAt, until: performance.now() };
      const isAllowed = this.#files.some((file) => this.#allows(asker, agent, file, mark, span));
      if (!isAllowed) this.faults.push(`${asker.name} read ${mark}`);
    }
    for (const { id } of this.#files)
      if (text.includes(id) && found.size === 0)
        this.faults.push(`${asker.name} got a source without a quotation`);
    return found.size;
  }

  #allows(
    { rights }: FileAsker,
    agent: WorldAgent,
    file: WorldFile,
    mark: string,
    { from, until }: { readonly from: number; readonly until: number },
  ): boolean {
    const held = [...rights.values()].flatMap((spans) => spans.within(from - knownForMs, until));
    const isHeld = ({ project }: FileState): boolean =>
      held.some(
        (right) =>
          right !== null &&
          (right.kind === 'all' || right.id === (right.kind === 'file' ? file.id : project)),
      );
    return file.states
      .within(from, until)
      .some(
        (state) =>
          state.mark === mark &&
          state.isLive &&
          agent.readsFiles &&
          (agent.project === null || agent.project === state.project) &&
          this.#projects.some(
            ({ id, live }) => id === state.project && live.within(from, until).includes(true),
          ) &&
          isHeld(state),
      );
  }

  /** What a caller can read is found and quoted. */
  #control({
    asker,
    agent,
    file,
    answer,
    startedAt,
  }: {
    readonly asker: FileAsker;
    readonly agent: WorldAgent;
    readonly file: WorldFile;
    readonly answer: StageAnswer;
    readonly startedAt: number;
  }): void {
    const span = { from: startedAt - settledMs, until: performance.now() };
    const states = file.states.within(span.from, span.until);
    const [state] = states;
    const project = this.#projects.find(({ id }) => id === state?.project);
    const isSettled =
      states.length === 1 &&
      project?.live.within(span.from, span.until).length === 1 &&
      [...asker.rights.values()].every((spans) => spans.within(span.from, span.until).length === 1);
    if (state === undefined || !isSettled || !this.#allows(asker, agent, file, state.mark, span)) return;
    this.counts.controls += 1;
    if (!answer.text.includes(state.mark)) this.counts.missed += 1;
  }

  /** Changes a file, a project or a share. */
  async change(): Promise<void> {
    this.counts.changes += 1;
    const way = this.#random();
    if (way < 0.25) await this.#replace();
    else if (way < 0.45) await this.#deleteOrRestore();
    else if (way < 0.55) await this.#move();
    else if (way < 0.65) await this.#deleteOrRestoreProject();
    else await this.#share();
  }

  async #replace(): Promise<void> {
    const file = pick(this.#random, this.#files);
    const before = file.states.last;
    if (!this.#isLive(before)) return;
    const mark = this.#newMark();
    await file.states.change({ ...before, mark }, async () => {
      const name = `memo-${this.#files.indexOf(file)}.txt`;
      const path = `/api/v1/projects/${before.project}/files?ifTaken=version&name=${name}`;
      await this.#store(path, { company: file.company, mark });
    });
    await this.#derive();
  }

  #isLive({ project, isLive }: FileState): boolean {
    return isLive && this.#projects.some(({ id, live }) => id === project && live.last);
  }

  async #deleteOrRestore(): Promise<void> {
    const file = pick(this.#random, this.#files);
    const { last } = file.states;
    if (!this.#projects.some(({ id, live }) => id === last.project && live.last)) return;
    const path = `/api/v1/files/${file.id}`;
    await file.states.change({ ...last, isLive: !last.isLive }, () =>
      last.isLive ? this.#owner('DELETE', path) : this.#owner('POST', `${path}/restore`, {}),
    );
  }

  async #move(): Promise<void> {
    const file = pick(this.#random, this.#files);
    const { last } = file.states;
    const to = pick(this.#random, this.#projects);
    if (!this.#isLive(last) || to.id === last.project || !to.live.last) return;
    // Direct shares of the file end with the move.
    const ending = this.askers.flatMap(({ rights }) => {
      const spans = rights.get(file.id);
      return spans === undefined || spans.last === null ? [] : [spans];
    });
    await file.states.change({ ...last, project: to.id }, async () => {
      const body = { projectId: to.id, ifTaken: 'rename' };
      await this.#owner('POST', `/api/v1/files/${file.id}/move`, body);
    });
    for (const spans of new Set(ending)) await spans.change(null, () => Promise.resolve());
    await this.#derive();
  }

  async #deleteOrRestoreProject(): Promise<void> {
    const project = pick(this.#random, this.#projects);
    const isLive = project.live.last;
    if (isLive && this.#projects.filter(({ live }) => live.last).length === 1) return;
    const path = `/api/v1/projects/${project.id}`;
    await project.live.change(!isLive, () =>
      isLive ? this.#owner('DELETE', path) : this.#owner('POST', `${path}/restore`, {}),
    );
  }

  /** With a guest: begun, or ended where it exists. */
  async #share(): Promise<void> {
    const guest = pick(
      this.#random,
      this.askers.filter(({ name }) => name === 'guest'),
    );
    const isFile = this.#random() < 0.6;
    const file = pick(this.#random, this.#files);
    if (!this.#isLive(file.states.last)) return;
    const id = isFile ? file.id : file.states.last.project;
    const path = `/api/v1/${isFile ? 'files' : 'projects'}/${id}/shares`;
    const spans = guest.rights.get(id) ?? new Spans<Right | null>(null);
    guest.rights.set(id, spans);
    if (spans.last === null) {
      const right: Right = { kind: isFile ? 'file' : 'project', id };
      const body = { member: guest.username, level: 'read' };
      await spans.change(right, () => this.#owner('POST', path, body));
      return;
    }
    const listed = (await this.#owner('GET', path)).json<{
      data: { id: string; member: string | null }[];
    }>();
    const share = listed.data.find(({ member }) => member === guest.username);
    if (share === undefined) throw new Error(`the share of ${guest.username} is missing`);
    await spans.change(null, () => this.#owner('DELETE', `/api/v1/shares/${share.id}`));
  }
}
