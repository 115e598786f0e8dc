// Verifies content against the public log in this browser. Of the server it needs the files of the log and a statement of
// what to look for; neither is trusted. What this browser saw of the log before is stored in it.
const own = document.querySelector('script[data-log-verifier]');
const texts = JSON.parse(own.dataset.texts);
const stored = 'daybook-log';
const bundleWidth = 256;

const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');

const load = () => import(own.dataset.logVerifier);

function knownView() {
  try {
    return JSON.parse(localStorage.getItem(stored));
  } catch {
    return null;
  }
}

/** A result that is not "verified", in words. */
class Refused extends Error {
  constructor(text, evidence = null) {
    super(text);
    this.evidence = evidence;
  }
}

const plurals = {
  item: 'items',
  story: 'stories',
  correction: 'corrections',
  daily: 'dailies',
  weekly: 'weeklies',
  monthly: 'monthlies',
};
const folders = { story: 'story', items: 'item', stories: 'story', corrections: 'correction' };
for (const kind of ['daily', 'weekly', 'monthly']) folders[kind] = folders[plurals[kind]] = kind;

/** What an address, an id or a period can mean, the likeliest first. */
function subjectsOf(target) {
  const text = target.trim();
  const path = URL.canParse(text) ? new URL(text).pathname : text;
  const [, folder = '', id = ''] = /\/([a-z]+)\/([\w-]+)(?:\/proof|\/history)?\/?$/.exec(path) ?? [];
  if (folders[folder] !== undefined) return [{ kind: folders[folder], id }];
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return [{ kind: 'daily', id: text }];
  if (/^\d{4}-W\d{2}$/.test(text)) return [{ kind: 'weekly', id: text }];
  if (/^\d{4}-\d{2}$/.test(text)) return [{ kind: 'monthly', id: text }];
  if (!/^[\da-f-]{36}$/.test(text)) return [];
  return ['item', 'story', 'correction'].map((kind) => ({ kind, id: text }));
}

async function fetchProof(subjects) {
  for (const { kind, id } of subjects) {
    const answer = await fetch(`/api/v1/${plurals[kind]}/${id}/proof`, { cache: 'no-cache' });
    if (answer.status === 404) continue;
    const body = await answer.json();
    if (!answer.ok) throw new Refused(texts.problems[body.code] ?? body.detail);
    return { subject: { kind, id }, proof: body.proof };
  }
  throw new Refused(texts.unknown);
}

/** The log as it is now, if it continues what this browser saw before. */
async function visit(log, checkpoint) {
  const options = { view: knownView(), ...(checkpoint === undefined ? {} : { checkpoint }) };
  const seen = await log.visitLog({ baseUrl: location.origin }, options);
  if (seen.outcome === 'fork') throw new Refused(texts.fork, seen.evidence);
  if (seen.outcome === 'fault') throw new Refused(texts.faults[seen.fault]);
  localStorage.setItem(stored, JSON.stringify(seen.view));
  return seen;
}

async function checkProof(log, { keys, proof, subject }) {
  const logKeys = await log.parseKeys(keys);
  const verified = await log.verifyProof(proof, { logKeys, ...(subject === null ? {} : { subject }) });
  if (!verified.ok) throw new Refused(texts.faults[verified.fault]);
  return verified;
}

/** The entry in the file of the log, compared with the hashes of the tree. */
async function checkTiles(log, { tree, source }, proof) {
  const bundle = Math.floor(proof.leafIndex / bundleWidth);
  const entries = await tree.entries(bundle, source.bundle).catch(() => {
    throw new Refused(texts.faults.wrong_tiles);
  });
  const entry = JSON.parse(new TextDecoder().decode(entries[proof.leafIndex % bundleWidth]));
  if (log.differingFields(proof.entry, entry).length > 0) throw new Refused(texts.faults.not_included);
}

/** Fields of what the server shows that the log proves differently. */
async function shownDifferently(log, { kind, id }, body) {
  if (kind === 'correction' || body === null) return [];
  const answer = await fetch(`/api/v1/${plurals[kind]}/${id}`, { cache: 'no-cache' });
  if (!answer.ok) return [];
  const { item, story, report } = await answer.json();
  // The reason is worded in the language of the reader.
  if (item !== undefined) return log.differingFields(body, item).filter((name) => name !== 'reason');
  if (story !== undefined) return story.versions.flatMap((version) => storyDiffers(log, body, version));
  const versions = [body.contents, ...(body.contents.versions ?? [])];
  const names = ['headline', 'overview'];
  return versions.some((one) => names.every((name) => one[name] === report[name])) ? [] : names;
}

function storyDiffers(log, { title, digest, otherDigest }, version) {
  const isOwn = version.title === title;
  const proven = isOwn ? digest : otherDigest;
  return log.differingFields({ digest: proven }, { digest: version.digest });
}

function wordsOf({ entry, content, signed }, leafIndex) {
  const at = new Date(entry.at).toLocaleString(document.documentElement.lang);
  const values = { entry: leafIndex, at, origin: signed.checkpoint.origin, size: signed.checkpoint.size };
  const { proven, withdrawn, erased } = texts;
  return `${fill({ proven, withdrawn, erased }[content], values)} ${fill(texts.place, values)}`;
}

async function verifySubjects(subjects) {
  if (subjects.length === 0) throw new Refused(texts.unknown);
  const log = await load();
  const { subject, proof } = await fetchProof(subjects);
  const seen = await visit(log, proof.checkpoint);
  const verified = await checkProof(log, { keys: seen.view.keys, proof, subject });
  await checkTiles(log, seen, proof);
  const differing = await shownDifferently(log, subject, proof.body);
  if (differing.length > 0) throw new Refused(fill(texts.shownOtherwise, { fields: differing.join(', ') }));
  return wordsOf(verified, proof.leafIndex);
}

/** A saved proof: its checkpoint must be a beginning of the present log. */
async function verifyFile(file) {
  const log = await load();
  const parsed = JSON.parse(await file.text().catch(() => 'null'));
  const proof = parsed?.proof ?? parsed;
  const seen = await visit(log);
  const verified = await checkProof(log, { keys: seen.view.keys, proof, subject: null });
  const { checkpoint, raw: note } = verified.signed;
  const now = seen.signed.checkpoint;
  if (checkpoint.origin === now.origin && checkpoint.size <= now.size) {
    const pair = [
      { note, checkpoint },
      { note: seen.signed.raw, checkpoint: now },
    ];
    const compared = await log.compareCheckpoints(...pair, seen.tree);
    if (compared.outcome === 'fork') throw new Refused(texts.fork, compared.evidence);
  }
  return wordsOf(verified, proof.leafIndex);
}

/** Shows the result; evidence of a fork can be saved and sent to others. */
async function show(place, work) {
  place.hidden = false;
  place.textContent = texts.checking;
  place.dataset.result = 'checking';
  try {
    place.textContent = await work();
    place.dataset.result = 'verified';
  } catch (error) {
    place.dataset.result = 'refused';
    place.textContent = error instanceof Refused ? error.message : texts.unreadable;
    if (error instanceof Refused && error.evidence !== null) place.append(' ', evidenceLink(error.evidence));
    else if (!(error instanceof Refused)) reportError(error);
  }
}

function evidenceLink(evidence) {
  const link = document.createElement('a');
  const bytes = new Blob([JSON.stringify(evidence, null, 2)], { type: 'application/json' });
  link.href = URL.createObjectURL(bytes);
  link.download = 'fork-evidence.json';
  link.textContent = texts.saveEvidence;
  return link;
}

for (const link of document.querySelectorAll('a[data-verify]'))
  link.addEventListener('click', (event) => {
    event.preventDefault();
    const place = link.closest('p').querySelector('[data-verified]');
    void show(place, () => verifySubjects(subjectsOf(link.dataset.verify)));
  });

const form = document.querySelector('form[data-verify-form]');
if (form !== null) {
  const place = document.querySelector('[data-verified]');
  const run = () => {
    const [file] = form.elements.proof.files;
    const target = form.elements.target.value;
    void show(place, () => (file === undefined ? verifySubjects(subjectsOf(target)) : verifyFile(file)));
  };
  form.hidden = false;
  form.elements.target.value ||= new URLSearchParams(location.search).get('target') ?? '';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });
  if (form.elements.target.value !== '') run();
}
