import { Command } from 'commander'
import { packageVersion } from '../build/project/package-version.ts'
import { exitCodeOf } from '../sandbox/terminal/exit-code.ts'
import { brokenPipe } from '../shared/runtime/end-with-output.ts'
import { prepareProcess } from '../shared/runtime/prepare-process.ts'
import { print, printError } from '../shared/terminal/print.ts'
import { allCommands, commandGroups, ownCommand } from './command-list.ts'
import { asCalled, calledAs, isCompletionOfKubectl } from './how-to-call.ts'

/** Returns the command of a name; for another name all commands, with just their line in the list. */
const commandsFor = async (name: string): Promise<readonly Command[]> => {
  if (name === '--version') return []
  const named = ownCommand(name) ?? (await allCommands())[name]
  if (named !== undefined) return [(await named.load()).summary(named.summary)]
  return Object.entries(await commandGroups()).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, { summary }]) =>
      new Command(name).summary(summary).helpGroup(group),
    ),
  )
}

/** The command line `trellis`. Exit codes: 0 success, 1 failure, 2 wrong use. */
export const main = async (argv: readonly string[]): Promise<void> => {
  prepareProcess()
  if (isCompletionOfKubectl(argv[1])) {
    const { answerKubectl } = await import('./completion/answer-kubectl.ts')
    await answerKubectl(argv.slice(2))
    return
  }
  const program = new Command(calledAs(argv[1]))
    .description('Gardener extension backends as scale-to-zero functions on Knative.')
    .usage('COMMAND [options]')
    .version(await packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: text => print(asCalled(text)),
      writeErr: text => printError(asCalled(text)),
    })
    .showHelpAfterError('(add --help for more)')
  const [, , given = '', asked = ''] = argv
  const name = given === 'help' ? asked : given
  try {
    for (const command of await commandsFor(name)) program.addCommand(command.copyInheritedSettings(program))
  } catch (error) {
    // Loaded only here, because a successful command does not need it.
    const { isDefinitionError } = await import('../shared/runtime/runtime.ts')
    if (!isDefinitionError(error)) throw error
    process.exitCode = exitCodeOf(error)
    return
  }
  // Only for the list of commands: their own help shows their options.
  program
    .configureHelp({
      visibleCommands: ({ commands }) => [...commands],
      visibleOptions: () => [],
      subcommandTerm: command => command.name(),
    })
    .addHelpText('after', '\ntrellis COMMAND --help explains a command; --version prints the version.')
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    // An interrupted start fails, and the error would have no reader.
    if (process.exitCode !== brokenPipe) process.exitCode = exitCodeOf(error, asCalled)
  }
}
