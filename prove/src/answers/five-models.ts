import type {
  ModelServer,
  ModelServerReply,
  ModelServerRequest,
} from '../../../apps/server/test/model-server.ts';
import { openModelServer } from '../../../apps/server/test/model-server.ts';

export interface ShownPassage {
  readonly number: number;
  readonly title: string;
  readonly text: string;
}

export interface ShownPrompt {
  readonly question: string;
  readonly wishes: string;
  readonly passages: readonly ShownPassage[];
  readonly findings?: readonly { readonly sentence: string }[];
}

export type Script = (prompt: ShownPrompt) => ModelServerReply;

/** An OpenAI-compatible server on loopback whose behaviour the proof sets before each question. */
export interface ScriptedAnswers {
  readonly server: ModelServer;
  script: Script;
  /** What it was sent, as text. */
  readonly sent: () => readonly string[];
}

export async function startScriptedAnswers(): Promise<ScriptedAnswers> {
  const own: { script: Script } = { script: () => ({ text: 'NONE' }) };
  const server = await openModelServer((request) => own.script(promptOf(request)));
  return Object.assign(own, {
    server,
    sent: () => server.requests.map(({ body }) => JSON.stringify(body.messages)),
  });
}

function promptOf({ body }: ModelServerRequest): ShownPrompt {
  return JSON.parse(String(body.messages.at(-1)?.content)) as ShownPrompt;
}
