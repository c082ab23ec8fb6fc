import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { print } from '../../shared/terminal/print.ts'

/** Runs programs of others in the folder of the project. */
export interface Shell {
  /** True if commands are only printed. */
  readonly isDry: boolean
  /** Returns what the command printed. `stdin`: its input. Rejects if it fails; its errors are printed at once. */
  run(line: readonly string[], stdin?: string): Promise<string>
}

const quoted = (word: string) => (/^[\w./:=@,-]+$/.test(word) ? word : `'${word}'`)
const shown = (line: readonly string[], stdin?: string) =>
  `  $ ${line.map(quoted).join(' ')}${stdin === undefined ? '' : ' <<EOF …'}\n`

/** Prints commands, and answers with their own words in brackets. */
export const dryShell: Shell = {
  isDry: true,
  run: async (line, stdin) => {
    print(shown(line, stdin))
    return `<${line.slice(0, 2).join(' ')}>`
  },
}

/** `signal`: ends the command that runs, and refuses others. Default: none does. */
export const openShell = (cwd: string, environment: NodeJS.ProcessEnv, signal?: AbortSignal): Shell => ({
  isDry: false,
  run: async ([program = '', ...words], stdin) => {
    signal?.throwIfAborted()
    print(shown([program, ...words], stdin))
    // A group of its own: Ctrl-C must not end the commands that clean up.
    const child = spawn(program, words, { cwd, env: environment, detached: true, ...(signal && { signal }) })
    const ended = once(child, 'close')
    child.stdin.on('error', () => {}).end(stdin ?? '')
    child.stderr.pipe(process.stderr)
    const [output, [code]] = await Promise.all([text(child.stdout), ended]).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new Error(`${program} is not on the PATH`) : error
      },
    )
    if (code !== 0)
      throw new Error(`${program} ${words[0] ?? ''} ended with ${code}: ${output.slice(-2_000)}`)
    return output.trim()
  },
})
