import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { Flag } from './flags.ts';
import { flagTexts } from './flags.ts';

/** What completion needs of a command. */
interface CompletedCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
}

const install = `Bash:  daybook completion bash > ~/.local/share/bash-completion/completions/daybook
Zsh:   daybook completion zsh > ~/.zfunc/_daybook   (a folder of $fpath)
Fish:  daybook completion fish > ~/.config/fish/completions/daybook.fish`;

/** Prints the completion script of a shell. */
export function completion(
  args: readonly string[],
  commands: readonly CompletedCommand[],
  host: CliHost,
): Promise<void> {
  const [shell = '', ...more] = args;
  const write = { bash, zsh, fish }[shell];
  if (shell === '--help' || shell === '-h')
    host.print(`daybook completion bash|zsh|fish: Print the completion script of a shell\n\n${install}`);
  else if (write === undefined || more.length > 0)
    throw new CliError('usage', 'specify a shell: daybook completion bash|zsh|fish');
  else host.print(write(commands).join('\n'));
  return Promise.resolve();
}

/** The fixed words after a command: `mirror [verify|repair]`. */
function wordsOf({ usage }: CompletedCommand): readonly string[] {
  const [, words = ''] = /\[([a-z][^\]]*\|[^\]]*)\]/.exec(usage) ?? [];
  return words
    .split('|')
    .map((word) => word.trim().split(' ')[0] ?? '')
    .filter((word) => word !== '');
}

function flagsOf({ name, flags }: CompletedCommand): readonly string[] {
  return [...flags.map((flag) => `--${flag}`), ...(name === 'login' ? ['--no-browser'] : [])];
}

const flagEntries = Object.entries(flagTexts);
const fileFlags = flagEntries.filter(([, { isFile }]) => isFile).map(([flag]) => flag);
const choiceFlags = flagEntries.flatMap(([flag, { choices }]) =>
  choices === undefined ? [] : [{ flag, choices }],
);

function bash(commands: readonly CompletedCommand[]): readonly string[] {
  return [
    '_daybook() {',
    '  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=',
    '  case $previous in',
    ...choiceFlags.map(
      ({ flag, choices }) =>
        `    --${flag}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`,
    ),
    `    ${fileFlags.map((flag) => `--${flag}`).join('|')}) COMPREPLY=($(compgen -f -- "$word")); return ;;`,
    '  esac',
    `  if ((COMP_CWORD == 1)); then words='${commands.map(({ name }) => name).join(' ')} completion --help --version'`,
    '  else case ${COMP_WORDS[1]} in',
    ...commands.map(
      (command) => `    ${command.name}) words='${[...wordsOf(command), ...flagsOf(command)].join(' ')}' ;;`,
    ),
    "    completion) words='bash zsh fish' ;;",
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -F _daybook daybook',
  ];
}

function zsh(commands: readonly CompletedCommand[]): readonly string[] {
  const argument = (flag: Flag): string => {
    const { value, summary, choices, isFile } = flagTexts[flag];
    const action = isFile ? '_files' : choices === undefined ? ' ' : `(${choices.join(' ')})`;
    return `'--${flag}[${quoted(summary)}]${value === undefined ? '' : `:${value}:${action}`}'`;
  };
  return [
    '#compdef daybook',
    '_daybook() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`),
    "    'completion:Print the completion script of a shell'",
    '  )',
    '  if (( CURRENT == 2 )); then _describe command commands; compadd -- --help --version; return; fi',
    '  local command=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $command in',
    ...commands.map((command) => {
      const words = wordsOf(command);
      const first = words.length === 0 ? [] : [`'1:action:(${words.join(' ')})'`];
      const browser = command.name === 'login' ? ["'--no-browser[print the URL]'"] : [];
      return `    ${command.name}) _arguments ${[...command.flags.map(argument), ...browser, ...first].join(' ')} ;;`;
    }),
    "    completion) _arguments '1:shell:(bash zsh fish)' ;;",
    '  esac',
    '}',
    '[[ $funcstack[1] = _daybook ]] && _daybook "$@" || compdef _daybook daybook',
  ];
}

function fish(commands: readonly CompletedCommand[]): readonly string[] {
  const offer = 'complete -c daybook';
  const perCommand = commands.flatMap((command) => {
    const when = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const words = wordsOf(command);
    return [
      `${offer} -n __fish_use_subcommand -a ${command.name} -d '${quoted(command.summary)}'`,
      ...(words.length === 0 ? [] : [`${offer} ${when} -a '${words.join(' ')}'`]),
      ...command.flags.map((flag) => `${offer} ${when} -l ${flag}${fishValue(flag)}`),
      ...(command.name === 'login' ? [`${offer} ${when} -l no-browser`] : []),
    ];
  });
  return [
    `${offer} -f`,
    `${offer} -n __fish_use_subcommand -l help`,
    `${offer} -n __fish_use_subcommand -l version`,
    `${offer} -n __fish_use_subcommand -a completion -d 'Print the completion script of a shell'`,
    `${offer} -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'`,
    ...perCommand,
  ];
}

function fishValue(flag: Flag): string {
  const { value, summary, choices, isFile } = flagTexts[flag];
  const files = isFile ? ' -F' : '';
  const listed = choices === undefined ? '' : ` -a '${choices.join(' ')}'`;
  return `${value === undefined ? '' : ' -x'}${files}${listed} -d '${quoted(summary)}'`.replace(
    ' -x -F',
    ' -r -F',
  );
}

/** Inside single quotes, and inside the brackets and colons of zsh. */
function quoted(text: string): string {
  return text.replaceAll(/['[\]:\\]/g, ' ');
}
