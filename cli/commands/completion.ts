import { Command } from 'commander'
import { print } from '../../shared/terminal/print.ts'
import { completionScript, shells } from '../completion/script.ts'

/** `trellis completion SHELL`: prints a script that completes commands, flags and their choices. */
export const completionCommand = (loadAll: () => Promise<readonly Command[]>): Command =>
  new Command('completion')
    .description(
      'Print a script that completes commands, flags and their values in a shell. It starts no process while you type; print it again after an upgrade.',
    )
    .argument('<shell>', `one of ${shells.join(', ')}`)
    .addHelpText(
      'after',
      `
The package also has kubectl_complete-trellis, with which kubectl completes kubectl trellis: it has to be on the PATH.

Examples:
  source <(trellis completion bash)
  trellis completion zsh > "\${fpath[1]}/_trellis"
  trellis completion fish > ~/.config/fish/completions/trellis.fish`,
    )
    .action(async (shell: string, _: object, command: Command) => {
      const known = shells.find(one => one === shell)
      if (known === undefined) command.error(`error: expected one of ${shells.join(', ')}`)
      print(completionScript(known, await loadAll()))
    })
