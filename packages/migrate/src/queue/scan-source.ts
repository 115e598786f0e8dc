import { StoppedError } from '../commit/approval-question.ts';
import { walkSource } from '../sources/source-walk.ts';
import { followFolders } from './folder-majority.ts';
import { rollBack } from './queue-database.ts';
import type { ScanDeps, ScanTotals } from './scan-deps.ts';
import { ScanRecorder } from './scan-recorder.ts';

/** How often results are committed: a killed scan resumes from there. */
const filesPerTransaction = 200;

export async function scanSource(source: string, pasted: boolean, deps: ScanDeps): Promise<ScanTotals> {
  const { database } = deps.queue;
  const recorder = new ScanRecorder(deps, pasted);
  // A scan that the power fails under is scanned again: only commits need every write on the disk at once.
  database.exec('pragma synchronous = normal; begin immediate');
  try {
    const converted: string[] = [];
    const options = {
      knowledgeRoot: deps.queue.root,
      onSkipped: recorder.skip,
      ...(deps.exportStore === undefined ? {} : { exportStore: deps.exportStore }),
      onConverted: (folder: string) => converted.push(folder),
    };
    for await (const file of walkSource(source, options)) {
      await recorder.record(file);
      deps.onFile(recorder.totals);
      if (recorder.totals.files % filesPerTransaction === 0) database.exec('commit; begin immediate');
      if (deps.isStopped?.() === true) throw new StoppedError();
    }
    for (const { name, status, detail } of deps.refused ?? []) recorder.skip(source, name, status, detail);
    await recorder.askEncodings();
    if (!pasted) for (const folder of [source, ...converted]) recorder.listGone(folder);
    followFolders(database);
  } catch (error) {
    if (!(error instanceof StoppedError)) {
      rollBack(database);
      throw error;
    }
    recorder.totals.stopped = true;
  }
  database.exec('commit');
  return recorder.totals;
}
