import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseAllDocuments } from 'yaml'
import { createApiServer } from '../../sandbox/kubernetes/kubernetes.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { eventOf, post } from '../e2e/event-of.ts'
import type { LiveRecord } from '../e2e/harness.ts'

/**
 * Starts a function of DNSRecords with these arguments of Node on an API server in memory, and sends it the event of
 * its example. Returns the answer, and the state of the record.
 *
 * @param folder of the function, with its example
 */
export const reconcileWith = async (
  args: readonly string[],
  folder: string,
): Promise<{ readonly status: number; readonly state: unknown }> => {
  const text = await readFile(join(folder, 'example.yaml'), 'utf8')
  const objects = parseAllDocuments(text).map(document => document.toJS() as KubernetesObject)
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...objects] })
  const listener = await server.listen()
  const scratch = await mkdtemp(join(tmpdir(), 'trellis-reconcile-'))
  await writeFile(join(scratch, 'kubeconfig'), server.kubeconfig(listener.url))
  const child = spawn(process.execPath, args, {
    env: { KUBECONFIG: join(scratch, 'kubeconfig'), TRELLIS_PORT: '0', TRELLIS_ADDRESS: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
    const name = objects.at(-1)?.metadata ?? { name: '' }
    const live = async () =>
      (await kubernetes.get(kinds.DNSRecord.resource, {
        namespace: name.namespace ?? '',
        name: name.name,
      })) as LiveRecord | undefined
    const status = await post(`http://127.0.0.1:${await portOf(child.stdout)}/`, eventOf(await live()))
    return { status, state: recordOf(recordOf((await live())?.status).lastOperation).state }
  } finally {
    child.kill('SIGTERM')
    await ended
    await listener.close()
    server.close()
    await rm(scratch, { recursive: true })
  }
}

const portOf = async (output: NodeJS.ReadableStream): Promise<string> => {
  const lines: string[] = []
  for await (const line of createInterface({ input: output })) {
    const [, port] = /"port":(\d+),"msg":"listening"/.exec(line) ?? []
    if (port !== undefined) return port
    lines.push(line)
  }
  throw new Error(`the function ended: ${lines.join('\n')}`)
}
