import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a program to its end and returns its exit code and output. `input`: its standard input. */
export const runCommand = async (
  command: readonly string[],
  {
    input = '',
    env = process.env,
    signal,
  }: { input?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal } = {},
): Promise<{ readonly code: number; readonly output: string }> => {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env, killSignal: 'SIGKILL', ...(signal && { signal }) })
  let output = ''
  const append = (text: string) => {
    output = (output + text).slice(-16 * 1024)
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)
  child.stdin.on('error', () => {}).end(input)
  const [code] = await once(child, 'close')
  return { code: code ?? 137, output }
}

/** Runs a program that must succeed. */
export const mustRun = async (command: readonly string[], input?: string): Promise<void> => {
  const { code, output } = await runCommand(command, input === undefined ? {} : { input })
  if (code !== 0) throw new Error(`running ${command.join(' ')}: exit code ${code}: ${output}`)
}
