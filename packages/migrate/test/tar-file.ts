/** A file of a tar archive that a test writes. */
export interface TarFile {
  readonly name: string;
  readonly content: string | Buffer;
  readonly type?: '0' | '1' | '2' | '3' | '5' | 'L';
  /** The size that the archive states. */
  readonly size?: number;
}

export function tarOf(...files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ name, content, type = '0', size }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write(`${(1_589_673_600).toString(8).padStart(11, '0')}\0`, 136);
    header.write(`        ${type}`, 148);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}
