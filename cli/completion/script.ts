import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** The flags of a command; those with `CLOUD` in their name only stand for others in the help. */
const optionsOf = ({ options }: Command): readonly Option[] =>
  options.filter(({ long }) => long !== undefined && !/[A-Z]/.test(long))

const namesOf = ({ short, long }: Option): readonly string[] => [short, long].filter(one => one !== undefined)

const takesValue = ({ required, optional }: Option): boolean => required || optional

/** Returns the first words of a description, without characters that a shell could expand. */
const textOf = (text: string): string => text.replaceAll(/['"\\$`]/g, '').slice(0, 100)

interface CompletionCandidate {
  readonly value: string
  readonly text?: string
}

/**
 * Returns what may follow some words. Undefined: a file, or a text of the user.
 *
 * @param words those after the name of the program; the last one is incomplete
 * @param load returns a command of a name
 */
export const candidatesFor = async (
  words: readonly string[],
  summaries: Readonly<Record<string, string>>,
  load: (name: string) => Promise<Command | undefined>,
): Promise<readonly CompletionCandidate[] | undefined> => {
  const [name = '', ...rest] = words
  const last = rest.at(-1)
  const starting = (all: readonly CompletionCandidate[]) =>
    all.filter(({ value }) => value.startsWith(last ?? name))
  if (last === undefined) return starting(Object.entries(summaries).map(([value, text]) => ({ value, text })))
  const options = optionsOf((await load(name)) ?? ({ options: [] } as unknown as Command))
  const open = options.find(option => takesValue(option) && namesOf(option).includes(rest.at(-2) ?? ''))
  if (open !== undefined) return open.argChoices && starting(open.argChoices.map(value => ({ value })))
  if (!last.startsWith('-')) return undefined
  return starting(
    options.flatMap(one => namesOf(one).map(value => ({ value, text: textOf(one.description) }))),
  )
}

/** Returns the script of a shell for these commands: a table of their flags, without calls of the program. */
export const completionScript = (shell: Shell, commands: readonly Command[]): string =>
  ({ bash, zsh, fish })[shell](commands)

/** The branches of a `case` over the command and the word before. */
const branches = (
  commands: readonly Command[],
  item: (value: string, text: string) => string,
  files: string,
): string =>
  commands
    .flatMap(command => {
      const name = command.name()
      const all = optionsOf(command)
      const before = (option: Option) =>
        namesOf(option)
          .map(flag => `${name},${flag}`)
          .join('|')
      const chosen = all.filter(({ argChoices }) => argChoices !== undefined)
      const others = all.filter(one => one.required && one.argChoices === undefined)
      return [
        ...chosen.map(
          one => `${before(one)}) all=(${one.argChoices?.map(value => item(value, '')).join(' ')}) ;;`,
        ),
        ...(others.length === 0 ? [] : [`${others.map(before).join('|')}) ${files} ;;`]),
        `${name},*) all=(${all.flatMap(one => namesOf(one).map(flag => item(flag, textOf(one.description)))).join(' ')}); [[ $current == -* ]] || { ${files}; } ;;`,
      ]
    })
    .map(line => `    ${line}\n`)
    .join('')

const bash = (commands: readonly Command[]): string => `_trellis() {
  local current=\${COMP_WORDS[COMP_CWORD]} all=()
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then all=(${commands.map(command => command.name()).join(' ')})
  else case "\${COMP_WORDS[1]},\${COMP_WORDS[COMP_CWORD - 1]}" in
${branches(commands, value => value, 'return')}  esac; fi
  COMPREPLY=($(compgen -W "\${all[*]}" -- "$current"))
}
complete -o bashdefault -o default -F _trellis trellis
`

/** A colon separates value and description. */
const described = (value: string, text: string): string =>
  `'${value.replaceAll(':', '\\:')}${text === '' ? '' : `:${text}`}'`

const zsh = (commands: readonly Command[]): string => `#compdef trellis
_trellis() {
  local current=$PREFIX
  local -a all
  if ((CURRENT == 2)); then all=(${commands.map(command => described(command.name(), textOf(command.summary()))).join(' ')})
  else case "$words[2],$words[CURRENT-1]" in
${branches(commands, described, '_files; return')}  esac; fi
  _describe trellis all
}
if [[ "$funcstack[1]" == _trellis ]]; then _trellis "$@"; else compdef _trellis trellis; fi
`

const fish = (commands: readonly Command[]): string =>
  commands
    .flatMap(command => [
      `complete -c trellis -f -n __fish_use_subcommand -a ${command.name()} -d '${textOf(command.summary())}'`,
      ...optionsOf(command).map(option =>
        [
          `complete -c trellis -n '__fish_seen_subcommand_from ${command.name()}'`,
          ...(option.short ? [`-s ${option.short.slice(1)}`] : []),
          `-l ${option.long?.slice(2)}`,
          ...(option.argChoices ? [`-x -a '${option.argChoices.join(' ')}'`] : option.required ? ['-r'] : []),
          `-d '${textOf(option.description)}'`,
        ].join(' '),
      ),
    ])
    .map(line => `${line}\n`)
    .join('')
