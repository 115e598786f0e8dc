// packages/client/src/hash-at-once.ts
const hashAtOnce = globalThis.process?.getBuiltinModule?.("node:crypto")?.hash;
const leafPrefix = 0;
const nodePrefix = 1;
async function sha256(...parts) {
	const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	if (hashAtOnce !== void 0) return hashAtOnce("sha256", bytes, "buffer");
	return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
function leafHash(leaf) {
	return sha256(Uint8Array.of(leafPrefix), leaf);
}
function nodeHash(left, right) {
	return sha256(Uint8Array.of(nodePrefix), left, right);
}
function emptyRoot() {
	return sha256();
}
async function rootOfInclusion({ index, size, leaf, proof }) {
	if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
	let path = {
		node: index,
		last: size - 1
	};
	let root = await leafHash(leaf);
	for (const sibling of proof) {
		if (path.last === 0 || sibling.length !== 32) return null;
		if (isRightOrLast(path)) {
			root = await nodeHash(sibling, root);
			path = climbToRightChild(path);
		} else root = await nodeHash(root, sibling);
		path = parentOf(path);
	}
	return path.last === 0 ? root : null;
}
async function isIncluded(claim, root) {
	const found = await rootOfInclusion(claim);
	return found !== null && equalBytes(found, root);
}
async function isConsistent(first, second, proof) {
	if (!isSize(first.size) || !isSize(second.size) || first.size > second.size) return false;
	if (first.size === second.size) return proof.length === 0 && equalBytes(first.root, second.root);
	if (first.size === 0) return proof.length === 0 && equalBytes(first.root, await emptyRoot());
	const [start, ...siblings] = isPowerOfTwo(first.size) ? [first.root, ...proof] : proof;
	if (start === void 0) return false;
	let path = skipRightChildren({
		node: first.size - 1,
		last: second.size - 1
	});
	let [inFirst, inSecond] = [start, start];
	for (const sibling of siblings) {
		if (path.last === 0 || sibling.length !== 32) return false;
		if (isRightOrLast(path)) {
			[inFirst, inSecond] = [await nodeHash(sibling, inFirst), await nodeHash(sibling, inSecond)];
			path = climbToRightChild(path);
		} else inSecond = await nodeHash(inSecond, sibling);
		path = parentOf(path);
	}
	return path.last === 0 && equalBytes(inFirst, first.root) && equalBytes(inSecond, second.root);
}
const isOdd = (value) => value % 2 === 1;
function parentOf({ node, last }) {
	return {
		node: Math.floor(node / 2),
		last: Math.floor(last / 2)
	};
}
function isRightOrLast({ node, last }) {
	return isOdd(node) || node === last;
}
function climbToRightChild(path) {
	let climbed = path;
	while (!isOdd(climbed.node) && climbed.node !== 0) climbed = parentOf(climbed);
	return climbed;
}
function skipRightChildren(path) {
	let climbed = path;
	while (isOdd(climbed.node)) climbed = parentOf(climbed);
	return climbed;
}
function isSize(size) {
	return Number.isSafeInteger(size) && size >= 0;
}
function isPowerOfTwo(size) {
	return Number.isInteger(Math.log2(size));
}
function equalBytes(one, other) {
	return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
// packages/client/src/log/signed-note.ts
const kindBytes = {
	log: 1,
	witness: 4
};
const keyIdBytes = 4;
const noteCharsMax = 1e5;
const signaturesMax = 100;
function parseNote(note) {
	if (note.length > noteCharsMax) return null;
	const end = note.lastIndexOf("\n\n");
	if (end === -1 || !note.endsWith("\n")) return null;
	const lines = note.slice(end + 2, -1).split("\n");
	if (lines.length > signaturesMax) return null;
	const signatures = lines.map(parseSignature);
	if (signatures.some((one) => one === null)) return null;
	return {
		text: note.slice(0, end + 1),
		signatures
	};
}
function parseSignature(line) {
	const [, keyName, encoded] = /^\u{2014} (\S+) (\S+)$/u.exec(line) ?? [];
	const bytes = encoded === void 0 ? null : fromBase64(encoded);
	if (keyName === void 0 || bytes === null || bytes.length <= keyIdBytes) return null;
	return {
		keyName,
		keyId: toHex(bytes.subarray(0, keyIdBytes)),
		bytes: bytes.slice(keyIdBytes)
	};
}
async function parseVerifierKey(key) {
	const [, name = "", keyId = "", encoded = ""] = /^([^+\s]+)\+([\da-f]{8})\+(\S+)$/u.exec(key) ?? [];
	const bytes = fromBase64(encoded);
	if (bytes === null || bytes.length !== 33) return null;
	const kind = Object.keys(kindBytes).find((one) => kindBytes[one] === bytes[0]);
	if (kind === void 0) return null;
	const publicKey = bytes.slice(1);
	return await keyIdOf(name, kind, publicKey) === keyId ? {
		name,
		keyId,
		kind,
		publicKey
	} : null;
}
async function keyIdOf(name, kind, publicKey) {
	return toHex((await sha256(encode(`${name}\n`), Uint8Array.of(kindBytes[kind]), publicKey)).subarray(0, keyIdBytes));
}
async function verifyNote(note, key) {
	const publicKey = await crypto.subtle.importKey("raw", key.publicKey, "Ed25519", false, ["verify"]);
	for (const { keyName, keyId, bytes } of note.signatures) {
		if (keyName !== key.name || keyId !== key.keyId) continue;
		const seconds = key.kind === "log" ? 0 : timestampOf(bytes);
		if (seconds === null) continue;
		const signature = key.kind === "log" ? bytes : bytes.slice(8);
		const message = signedText(note.text, key.kind, seconds);
		if (await crypto.subtle.verify("Ed25519", publicKey, signature, message)) return seconds;
	}
	return null;
}
function signedText(text, kind, seconds) {
	return encode(kind === "log" ? text : `cosignature/v1\ntime ${seconds}\n${text}`);
}
function timestampOf(bytes) {
	if (bytes.length < 8) return null;
	const seconds = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
	return seconds <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seconds) : null;
}
const encode = (text) => new TextEncoder().encode(text);
function toHex(bytes) {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
function toBase64(bytes) {
	return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
function fromBase64(text) {
	try {
		const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
		return toBase64(bytes) === text ? bytes : null;
	} catch {
		return null;
	}
}
// packages/client/src/log/checkpoint.ts
function parseCheckpoint(text) {
	const [origin = "", size = "", encoded = ""] = text.split("\n");
	const root = fromBase64(encoded);
	if (origin === "" || !/^(?:0|[1-9]\d{0,15})$/u.test(size) || root?.length !== 32) return null;
	return Number.isSafeInteger(Number(size)) ? {
		origin,
		size: Number(size),
		root
	} : null;
}
async function verifyCheckpoint(note, { logKeys, witnessKeys = [] }) {
	const parsed = parseNote(note);
	const checkpoint = parsed === null ? null : parseCheckpoint(parsed.text);
	if (parsed === null || checkpoint === null) return null;
	if (!(await Promise.all(logKeys.map(async (key) => key.name === checkpoint.origin && await verifyNote(parsed, key) !== null))).includes(true)) return null;
	return {
		checkpoint,
		note: parsed,
		raw: note,
		witnesses: (await Promise.all(witnessKeys.map(async (key) => ({
			name: key.name,
			seconds: await verifyNote(parsed, key)
		})))).flatMap(({ name, seconds }) => seconds === null ? [] : [{
			name,
			seconds
		}])
	};
}
// packages/client/src/log/fork.ts
function forkOfOneSize(first, second, origin) {
	return {
		kind: "daybook-log-fork/v1",
		origin,
		first,
		second,
		prefix: null
	};
}
async function compareCheckpoints(one, other, tree) {
	const [first, second] = one.checkpoint.size <= other.checkpoint.size ? [one, other] : [other, one];
	const { origin, size, root } = first.checkpoint;
	const evidence = forkOfOneSize(first.note, second.note, origin);
	if (size === second.checkpoint.size) return equalBytes(root, second.checkpoint.root) ? { outcome: "consistent" } : {
		outcome: "fork",
		evidence
	};
	const prefixRoot = await tree.root(size);
	if (equalBytes(prefixRoot, root)) return { outcome: "consistent" };
	const proof = await tree.consistencyProof(size, second.checkpoint.size);
	const prefix = {
		root: toBase64(prefixRoot),
		proof: proof.map(toBase64)
	};
	return {
		outcome: "fork",
		evidence: {
			...evidence,
			prefix
		}
	};
}
// packages/client/src/log/epoch.ts
const heading = "daybook log epoch/v1";
async function verifyEpochStatement(note, { logKeys }) {
	const parsed = parseNote(note);
	if (parsed === null) return null;
	const [first, origin = "", size = "", root = "", key = "", at = "", ...rest] = parsed.text.split("\n");
	const to = await parseVerifierKey(key);
	const rootBytes = fromBase64(root);
	if (!(first === heading && rest.length === 1 && /^(?:0|[1-9]\d{0,15})$/u.test(size)) || to === null || to.kind !== "log" || to.name === origin || rootBytes?.length !== 32) return null;
	if (!(await Promise.all(logKeys.map(async (one) => one.name === origin && await verifyNote(parsed, one) !== null))).includes(true) || await verifyNote(parsed, to) === null) return null;
	return {
		from: {
			origin,
			size: Number(size),
			root: rootBytes
		},
		to,
		key,
		at
	};
}
const tileHeight = 8;
function tilePath({ level, index, width }) {
	return `tile/${level}/${indexPath(index)}${partialPath(width)}`;
}
function bundlePath({ index, width }) {
	return `tile/entries/${indexPath(index)}${partialPath(width)}`;
}
function partialPath(width) {
	return width < 256 ? `.p/${width}` : "";
}
function indexPath(index) {
	const digits = String(index);
	const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, "0").match(/\d{3}/gu) ?? [];
	return groups.map((group, at) => at + 1 < groups.length ? `x${group}` : group).join("/");
}
function tileOf(level, index, size) {
	const hashes = Math.floor(size / 256 ** level);
	return {
		level,
		index,
		width: Math.min(256, hashes - index * 256)
	};
}
function readBundle(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const entries = [];
	let at = 0;
	while (at + 2 <= bytes.length) {
		const end = at + 2 + view.getUint16(at);
		if (end > bytes.length) return null;
		entries.push(bytes.subarray(at + 2, end));
		at = end;
	}
	return at === bytes.length ? entries : null;
}
var TileError = class extends Error {};
var TileTree = class {
	size;
	#readTile;
	#tiles = new Map();
	constructor(size, readTile) {
		this.size = size;
		this.#readTile = readTile;
	}
	async root(size = this.size) {
		return size === 0 ? emptyRoot() : this.#rangeHash(0, size);
	}
	async inclusionProof(index, size = this.size) {
		if (index < 0 || index >= size || size > this.size) throw new RangeError(`no leaf ${index} in ${size}`);
		const proof = [];
		let [from, to] = [0, size];
		while (to - from > 1) {
			const middle = from + powerBelow(to - from);
			if (index < middle) {
				proof.push(this.#rangeHash(middle, to));
				to = middle;
			} else {
				proof.push(this.#rangeHash(from, middle));
				from = middle;
			}
		}
		return Promise.all(proof.reverse());
	}
	async consistencyProof(first, second = this.size) {
		if (first < 0 || first > second || second > this.size) throw new RangeError(`no tree of ${first} leaves`);
		if (first === 0 || first === second) return [];
		const proof = [];
		let [from, to] = [0, second];
		while (first < to) {
			const middle = from + powerBelow(to - from);
			if (first <= middle) {
				proof.push(this.#rangeHash(middle, to));
				to = middle;
			} else {
				proof.push(this.#rangeHash(from, middle));
				from = middle;
			}
		}
		if (from > 0) proof.push(this.#rangeHash(from, to));
		return Promise.all(proof.reverse());
	}
	async #rangeHash(from, to) {
		const leaves = to - from;
		const power = powerBelow(leaves);
		if (power * 2 === leaves || leaves === 1) return this.#subtree(Math.log2(leaves), from / leaves);
		return nodeHash(await this.#rangeHash(from, from + power), await this.#rangeHash(from + power, to));
	}
	async #subtree(level, index) {
		const inside = 2 ** (level % tileHeight);
		const first = index * inside;
		const hashes = await this.#hashes(Math.floor(level / tileHeight), Math.floor(first / 256));
		return rootOf(Array.from({ length: inside }, (_, at) => hashAt(hashes, first % 256 + at)));
	}
	#hashes(level, index) {
		const tile = tileOf(level, index, this.size);
		const path = tilePath(tile);
		const known = this.#tiles.get(path) ?? this.#read(tile);
		this.#tiles.set(path, known);
		return known;
	}
	async #read(tile) {
		const bytes = await this.#readTile(tile);
		if (bytes.length !== tile.width * 32) throw new TileError(`${tilePath(tile)} has ${bytes.length} bytes instead of ${tile.width * 32}`);
		return bytes;
	}
};
function rootOfTile(hashes) {
	return rootOf(Array.from({ length: 256 }, (_, at) => hashAt(hashes, at)));
}
async function rootOf(hashes) {
	let row = hashes;
	while (row.length > 1) row = await Promise.all(pairsOf(row).map(([left, right]) => nodeHash(left, right)));
	return row[0];
}
function hashAt(hashes, at) {
	return hashes.slice(at * 32, (at + 1) * 32);
}
function pairsOf(row) {
	return Array.from({ length: row.length / 2 }, (_, at) => [row[2 * at], row[2 * at + 1]]);
}
function powerBelow(leaves) {
	let power = 1;
	while (power * 2 < leaves) power *= 2;
	return power;
}
// packages/client/src/log/log-source.ts
const timeoutMs = 3e4;
const textBytesMax = 1e6;
const hashBytes = 32;
const bundleBytesMax = 16777472;
function httpLog(server, path = "/log") {
	return {
		checkpoint: async () => text(await readFile(server, `${path}/checkpoint`, textBytesMax)),
		tile: (tile) => readFile(server, `${path}/${tilePath(tile)}`, tile.width * hashBytes),
		bundle: (bundle) => readFile(server, `${path}/${bundle}`, bundleBytesMax)
	};
}
async function fetchLogKeys(server) {
	return text(await readFile(server, "/log/keys", textBytesMax)).split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
async function fetchLogEpochs(server) {
	const { epochs } = JSON.parse(text(await readFile(server, "/log/epochs", textBytesMax)));
	return Array.isArray(epochs) ? epochs.filter(isEpoch) : [];
}
function isEpoch(value) {
	const { epoch, origin, path, statement } = value ?? {};
	return Number.isSafeInteger(epoch) && typeof origin === "string" && typeof path === "string" && /^\/log(?:\/\d{1,6})?$/u.test(path) && (statement === null || typeof statement === "string");
}
var LogFileError = class extends Error {
	status;
	constructor(url, status) {
		super(`${url} answered with ${status}`);
		this.status = status;
	}
};
async function readFile(server, path, bytesMax) {
	const url = `${server.baseUrl}${path}`;
	const answer = await (server.fetch ?? fetch)(url, { signal: AbortSignal.timeout(timeoutMs) });
	if (!answer.ok) throw new LogFileError(url, answer.status);
	const parts = [];
	let length = 0;
	const reader = answer.body?.getReader();
	for (let read = await reader?.read(); read?.value !== void 0; read = await reader?.read()) {
		parts.push(read.value);
		length += read.value.length;
		if (length > bytesMax) {
			await reader?.cancel();
			throw new LogFileError(`${url} (more than ${bytesMax} bytes)`, answer.status);
		}
	}
	const bytes = new Uint8Array(length);
	let at = 0;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}
function text(bytes) {
	return new TextDecoder().decode(bytes);
}
// packages/client/src/log/verified-tree.ts
var VerifiedTree = class VerifiedTree extends TileTree {
	#read;
	constructor(size, read) {
		super(size, read);
		this.#read = read;
	}
	static async open({ size, root }, readTile) {
		const verified = new Map();
		const readEdge = (tile) => {
			const path = tilePath(tile);
			const read = verified.get(path) ?? readTile(tile);
			verified.set(path, read);
			return read;
		};
		if (!equalBytes(await new TileTree(size, readEdge).root(), root)) throw new TileError("the tiles of the log are not those of its checkpoint");
		const read = (tile) => {
			const path = tilePath(tile);
			const known = verified.get(path) ?? readVerified(tile);
			verified.set(path, known);
			return known;
		};
		const readVerified = async (tile) => {
			const bytes = await readTile(tile);
			if (!equalBytes(await rootOfTile(bytes), await hashAbove(tile, size, read))) throw new TileError(`${tilePath(tile)} is not that of the checkpoint`);
			return bytes;
		};
		return new VerifiedTree(size, read);
	}
	async entries(index, readEntries) {
		const tile = tileOf(0, index, this.size);
		const path = bundlePath(tile);
		const entries = readBundle(await readEntries(path));
		if (entries === null || entries.length !== tile.width) throw new TileError(`${path} is not a bundle`);
		const hashes = await this.#read(tile);
		for (const [at, entry] of entries.entries()) if (!equalBytes(await leafHash(entry), hashes.subarray(at * 32, (at + 1) * 32))) throw new TileError(`an entry in ${path} is not that of the checkpoint`);
		return entries;
	}
};
async function hashAbove({ level, index }, size, read) {
	const above = tileOf(level + 1, Math.floor(index / 256), size);
	const at = index % 256;
	return (await read(above)).subarray(at * 32, (at + 1) * 32);
}
// packages/client/src/log/log-view.ts
async function visitLog(server, options) {
	const { view } = options;
	const given = [...view?.keys ?? [], ...options.keys ?? []];
	const trusted = given.length > 0 ? given : await fetchLogKeys(server);
	const epochs = await fetchLogEpochs(server);
	if (view === null) return firstVisit(server, trusted, {
		epochs,
		checkpoint: options.checkpoint
	});
	const [origin = ""] = view.checkpoint.split("\n");
	const known = await verifyCheckpoint(view.checkpoint, { logKeys: await parseKeys(trusted) });
	if (known === null) return fault("unsigned_checkpoint", view.checkpoint);
	const at = epochs.findIndex((epoch) => epoch.origin === origin);
	if (at === -1) return fault("other_log", null);
	const later = await followEpochs(epochs.slice(at + 1), trusted);
	if (later === null) return fault("wrong_epoch", null);
	const keys = [...new Set([...trusted, ...later.keys])];
	const read = await readCheckpoint(httpLog(server, epochs.at(-1).path), keys, options.checkpoint);
	if (read.outcome === "fault") return read;
	return later.statements.length === 0 ? compare(read, known, keys) : compareEpochs(read, known, {
		keys,
		statements: later.statements
	});
}
const fault = (kind, checkpoint) => ({
	outcome: "fault",
	fault: kind,
	checkpoint
});
async function parseKeys(keys) {
	return (await Promise.all(keys.map(parseVerifierKey))).filter((key) => key !== null);
}
async function firstVisit(server, keys, { epochs, checkpoint }) {
	const read = await readCheckpoint(httpLog(server, epochs.at(-1)?.path ?? "/log"), keys, checkpoint);
	return read.outcome === "fault" ? read : current(read, keys, null);
}
async function readCheckpoint(source, keys, given) {
	const note = given ?? await source.checkpoint();
	const signed = await verifyCheckpoint(note, { logKeys: await parseKeys(keys) });
	return signed === null ? fault("unsigned_checkpoint", note) : {
		outcome: "read",
		note,
		signed,
		source
	};
}
async function current({ note, signed, source }, keys, renamed) {
	try {
		const tree = await VerifiedTree.open(signed.checkpoint, source.tile);
		return {
			outcome: "current",
			view: {
				keys,
				checkpoint: note
			},
			signed,
			tree,
			source,
			renamed
		};
	} catch (error) {
		if (isMissing(error)) return fault("wrong_tiles", note);
		throw error;
	}
}
async function compare(read, known, keys) {
	const now = read.signed.checkpoint;
	if (now.size === known.checkpoint.size && !equalBytes(now.root, known.checkpoint.root)) return {
		outcome: "fork",
		evidence: forkOfOneSize(known.raw, read.note, now.origin)
	};
	const isOlder = now.size < known.checkpoint.size;
	const larger = isOlder ? known.checkpoint : now;
	try {
		const tree = await VerifiedTree.open(larger, read.source.tile);
		const [one, other] = [{
			note: known.raw,
			checkpoint: known.checkpoint
		}, {
			note: read.note,
			checkpoint: now
		}];
		const compared = await compareCheckpoints(one, other, tree);
		if (compared.outcome === "fork") return compared;
		return isOlder ? fault("older_checkpoint", read.note) : await current(read, keys, null);
	} catch (error) {
		if (isMissing(error)) return fault(isOlder ? "older_checkpoint" : "wrong_tiles", read.note);
		throw error;
	}
}
function isMissing(error) {
	return error instanceof TileError || error instanceof LogFileError && error.status === 404;
}
async function followEpochs(later, trusted) {
	const keys = [];
	const statements = [];
	const logKeys = [...await parseKeys(trusted)];
	for (const { statement, origin } of later) {
		const stated = statement === null ? null : await verifyEpochStatement(statement, { logKeys });
		if (stated === null || stated.to.name !== origin) return null;
		statements.push(stated);
		logKeys.push(stated.to);
		keys.push(stated.key);
	}
	return {
		keys,
		statements
	};
}
async function compareEpochs(read, known, { keys, statements }) {
	const [first, last] = [statements[0], statements.at(-1)];
	const { size, root } = known.checkpoint;
	const preserved = Math.min(size, ...statements.map(({ from }) => from.size));
	const lost = preserved < size ? {
		first: preserved,
		count: size - preserved
	} : null;
	const renamed = {
		from: known.checkpoint.origin,
		to: last.to.name,
		at: last.at,
		lost
	};
	const visit = await current(read, keys, renamed);
	if (visit.outcome !== "current") return visit;
	const { tree } = visit;
	if (tree.size < last.from.size) return fault("wrong_epoch", read.note);
	for (const { from } of statements.filter(({ from: one }) => one.size <= last.from.size)) if (!equalBytes(await tree.root(from.size), from.root)) return fault("wrong_epoch", read.note);
	return (lost !== null || equalBytes(await tree.root(size), root)) && first.from.origin === renamed.from ? visit : fault("wrong_epoch", read.note);
}
// packages/client/src/log/canonical-json.ts
function canonicalJson(value) {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	return `{${Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1).map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
// packages/client/src/log/proof.ts
async function verifyProof(proof, { subject, known, ...keys }) {
	if (!isProof(proof)) return {
		ok: false,
		fault: "malformed"
	};
	if (subject !== void 0 && (proof.entry.kind !== subject.kind || proof.entry.id !== subject.id)) return {
		ok: false,
		fault: "other_subject"
	};
	const signed = await verifyCheckpoint(proof.checkpoint, keys);
	if (signed === null) return {
		ok: false,
		fault: "unsigned_checkpoint"
	};
	const inclusion = proof.inclusion.map(fromBase64);
	if (inclusion.some((hash) => hash === null)) return {
		ok: false,
		fault: "malformed"
	};
	const { entry, leafIndex: index } = proof;
	const leaf = new TextEncoder().encode(canonicalJson(entry));
	const { size, root } = signed.checkpoint;
	if (!await isIncluded({
		index,
		size,
		leaf,
		proof: inclusion
	}, root)) return {
		ok: false,
		fault: "not_included"
	};
	const content = await contentOf(proof);
	if (content === null) return {
		ok: false,
		fault: "other_content"
	};
	if (!await isContinued(proof, known, signed.checkpoint)) return {
		ok: false,
		fault: "not_continued"
	};
	return {
		ok: true,
		entry,
		content,
		signed
	};
}
async function isContinued({ consistency }, known, now) {
	if (known === void 0) return true;
	const hashes = consistency?.from === known.size ? consistency.hashes.map(fromBase64) : [null];
	return !hashes.includes(null) && isConsistent(known, now, hashes);
}
async function contentOf({ entry, body, salt }) {
	if (salt === null) return body !== null ? null : entry.bodyHash === null ? "withdrawn" : "erased";
	if (entry.bodyHash === null) return null;
	return toHex(await sha256(Uint8Array.from(salt.match(/../gu) ?? [], (byte) => Number.parseInt(byte, 16)), new TextEncoder().encode(canonicalJson(body)))) === entry.bodyHash ? "proven" : null;
}
const inclusionMax = 64;
function isProof(value) {
	if (typeof value !== "object" || value === null || !isEntry(value.entry)) return false;
	const { salt, leafIndex, inclusion, checkpoint, consistency } = value;
	return value.body !== void 0 && (salt === null || typeof salt === "string" && /^[\da-f]{64}$/u.test(salt)) && Number.isSafeInteger(leafIndex) && Array.isArray(inclusion) && inclusion.length <= inclusionMax && inclusion.every((hash) => typeof hash === "string") && typeof checkpoint === "string" && (consistency === void 0 || isConsistency(consistency));
}
function isConsistency(value) {
	const { from, hashes } = value ?? {};
	return Number.isSafeInteger(from) && Array.isArray(hashes) && hashes.length <= inclusionMax && hashes.every((hash) => typeof hash === "string");
}
function isEntry(entry) {
	if (typeof entry !== "object" || entry === null) return false;
	const { version, kind, action, id, revision, at, bodyHash } = entry;
	return version === 1 && [
		kind,
		action,
		id,
		at
	].every((text) => typeof text === "string") && Number.isSafeInteger(revision) && (bodyHash === null || typeof bodyHash === "string");
}
function differingFields(body, served) {
	if (!isObject(body) || !isObject(served)) return canonicalJson(body) === canonicalJson(served) ? [] : [""];
	return Object.keys(body).filter((name) => name in served).flatMap((name) => {
		const [one, other] = [body[name], served[name]];
		if (!isObject(one) || !isObject(other)) return canonicalJson(one) === canonicalJson(other) ? [] : [name];
		return differingFields(one, other).map((inner) => `${name}.${inner}`);
	});
}
function isObject(value) {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
export { compareCheckpoints, differingFields, parseKeys, verifyProof, visitLog };
