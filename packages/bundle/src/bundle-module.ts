import { rolldown } from 'rolldown';

/** A module for browsers with everything that it imports, as one module. */
export async function bundleModule(file: string): Promise<string> {
  const bundle = await rolldown({ input: file, platform: 'browser', logLevel: 'silent' });
  try {
    const { output } = await bundle.generate({ format: 'esm', comments: false });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
