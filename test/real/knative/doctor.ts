import { execFile } from 'node:child_process'
import { join } from 'node:path'

const program = join(import.meta.dirname, '../../../cli/trellis.mjs')

/** Runs `trellis doctor` for a namespace. */
export const doctor = (kubeconfig: string, namespace: string, ...more: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly output: string }>(resolve => {
    execFile(
      process.execPath,
      [program, 'doctor', '--kubeconfig', kubeconfig, '--namespace', namespace, ...more],
      (error, output, errors) => resolve({ code: error?.code ?? 0, output: `${output}${errors}` }),
    )
  })
