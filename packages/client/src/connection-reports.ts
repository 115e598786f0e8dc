/** Receives the events of one request while `fetch` runs. */
export interface RequestWatch {
  readonly requested: () => void;
  /** The connection is made and the request is being sent on it. */
  readonly connected: () => void;
}

interface Message {
  readonly request: object;
}

/** The parts of Node that are used, which a browser does not have. */
interface NodeModules {
  readonly 'node:async_hooks': {
    readonly AsyncLocalStorage: new () => {
      readonly run: <T>(watch: RequestWatch, work: () => T) => T;
      readonly getStore: () => RequestWatch | undefined;
    };
  };
  readonly 'node:diagnostics_channel': {
    readonly subscribe: (channel: string, listener: (message: unknown) => void) => void;
  };
}
type GetModule = <K extends keyof NodeModules>(name: K) => NodeModules[K] | undefined;

type Watched = <T>(watch: RequestWatch, work: () => Promise<T>) => Promise<T>;

let watched: Watched | undefined;

/** Runs `work`. Node says when its `fetch` has connected; under other runtimes the watch hears nothing. */
export function whileWatched<T>(watch: RequestWatch, work: () => Promise<T>): Promise<T> {
  watched ??= watchingNode() ?? ((_watch, run) => run());
  return watched(watch, work);
}

function watchingNode(): Watched | null {
  const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: GetModule } };
  const hooks = process?.getBuiltinModule?.('node:async_hooks');
  const channels = process?.getBuiltinModule?.('node:diagnostics_channel');
  if (hooks === undefined || channels === undefined) return null;
  const current = new hooks.AsyncLocalStorage();
  const watches = new WeakMap<object, RequestWatch>();
  channels.subscribe('undici:request:create', (message) => {
    const watch = current.getStore();
    if (watch === undefined) return;
    watches.set((message as Message).request, watch);
    watch.requested();
  });
  channels.subscribe('undici:client:sendHeaders', (message) =>
    watches.get((message as Message).request)?.connected(),
  );
  return (watch, work) => current.run(watch, work);
}
