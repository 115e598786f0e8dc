import { pollWithProgress } from './poll-progress.ts';
import type { SourcesAction } from './sources-input.ts';
import { one, sourceJson } from './sources-input.ts';

function changing(state: 'active' | 'paused' | 'removed', done: string): SourcesAction {
  return async (desk, { values, positionals, print }) => {
    const source = await desk.find(one(positionals, 'source'));
    await desk.changeState(source.id, state, values.reason ?? null);
    const changed = await desk.read(source.id);
    if (values.json === true && changed !== null) print(JSON.stringify(sourceJson(desk, changed)));
    else print(`${source.name} is ${done}`);
  };
}

export const pauseAction = changing('paused', 'paused');
export const resumeAction = changing('active', 'active and will be polled now');
export const removeAction = changing('removed', 'removed. Its items are not deleted');

export const pollAction: SourcesAction = async (desk, input) => {
  const { values, positionals } = input;
  const sources =
    values.all === true
      ? (await desk.list()).filter(({ state }) => state === 'active')
      : [await desk.find(one(positionals, 'source, or --all'))];
  await pollWithProgress(desk, input, sources);
};
