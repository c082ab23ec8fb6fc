import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const isRunnable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The kubectl of this machine. Undefined if the PATH has none. */
export const kubectlFile = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'kubectl'))
  .find(isRunnable)

/** The name of a suite that needs kubectl. */
export const withKubectl = `with a real kubectl${kubectlFile === undefined ? ' (skipped: there is none on the PATH)' : ''}`

/** Runs kubectl in the project's folder and returns its output. Rejects with its error output if it fails. */
export const runKubectl = async (kubeconfig: string, ...args: readonly string[]): Promise<string> => {
  const child = spawn(kubectlFile ?? '', args, {
    env: { PATH: process.env.PATH, KUBECONFIG: kubeconfig, HOME: dirname(kubeconfig) },
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += String(chunk)
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${output}`)
  return output
}
