import { spawn } from 'node:child_process'

export interface CommandOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Standard input. Default: none. */
  readonly input?: string
}

/** Returns the trimmed output of a command. Rejects with its error output if it cannot be started or fails. */
export const outputOf = (
  command: string,
  args: readonly string[],
  { input = '', ...options }: CommandOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'pipe' })
    // A command may end without reading it.
    child.stdin.on('error', () => {}).end(input)
    let output = ''
    let errors = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', text => {
      errors += text
    })
    child.once('error', reject)
    child.once('close', code =>
      code === 0
        ? resolve(output.trim())
        : reject(new Error(`${command} ${args.join(' ')} failed with exit code ${code}\n${errors}${output}`)),
    )
  })

/** Runs a command that may take minutes and forwards its output. Rejects if it fails. */
export const run = (
  command: string,
  args: readonly string[],
  options: Omit<CommandOptions, 'input'> = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] })
    child.once('error', reject)
    child.once('close', code =>
      code === 0
        ? resolve()
        : reject(new Error(`${command} ${args.join(' ')} failed with exit code ${code}`)),
    )
  })
