import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type KubectlCase, kindOfCases } from './kubectl-cases.ts'

const execute = promisify(execFile)

export const hasKubectl = (): boolean => spawnSync('kubectl', ['version', '--client']).status === 0

export interface Kubectl {
  /** Returns all output of a command, even if it fails. */
  run(...args: readonly string[]): Promise<string>
  /** Returns the output of a case in the notation of the case. */
  printed(one: KubectlCase): Promise<readonly string[]>
  close(): Promise<void>
}

/** Opens kubectl with a kubeconfig, a separate cache and a new namespace, and serves the kind of the cases. */
export const openKubectl = async (kubeconfig: string): Promise<Kubectl> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-kubectl-'))
  const namespace = `kubectl-${randomUUID().slice(0, 8)}`
  const group = 'kubectl.trellis.gardener.cloud'
  const file = join(folder, 'file.yaml')
  const flags = ['--kubeconfig', kubeconfig, '--cache-dir', join(folder, 'cache'), '-n', namespace]

  const run = async (...args: readonly string[]): Promise<string> => {
    try {
      const { stdout, stderr } = await execute('kubectl', [...flags, ...args])
      return stdout + stderr
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
      return stdout + stderr
    }
  }
  const fill = (text: string): string =>
    text
      .replaceAll('{group}', group)
      .replaceAll('{reversed}', group.split('.').reverse().join('.'))
      .replaceAll('FILE', file)
      .replaceAll('NAMESPACE', namespace)

  await writeFile(file, JSON.stringify(kindOfCases(group)))
  const made = [
    await run('create', 'namespace', namespace),
    await run('apply', '-f', file),
    await run('wait', `crd/things.${group}`, '--for=condition=Established', '--timeout=30s'),
  ]
  // The OpenAPI document is published shortly after the definition is established.
  for (let tries = 0; tries < 100; tries++) {
    if ((await run('get', '--raw', '/openapi/v2')).includes(`${group}/v1/`)) break
  }
  if (!made.join('').includes('condition met')) throw new Error(`cannot prepare kubectl: ${made.join('')}`)
  return {
    run,
    printed: async one => {
      if (one.file !== undefined) await writeFile(file, fill(one.file))
      const text = await run(...one.args.map(fill))
      const lines = text.split('\n').filter(line => line.trim() !== '')
      return lines
        .map(line =>
          line
            .replaceAll(file, 'FILE')
            .replaceAll(namespace, 'NAMESPACE')
            .replaceAll(group.split('.').reverse().join('.'), '{reversed}')
            .replaceAll(group, '{group}'),
        )
        .sort()
    },
    close: () => rm(folder, { recursive: true }),
  }
}
