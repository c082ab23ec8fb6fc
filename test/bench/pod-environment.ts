import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Node arguments, before the program, for a process that finds its service account as a pod does. */
export const podArguments = ['--require', './test/bench/programs/service-account.cjs'] as const

/** As in a pod: the process neither reads a kubeconfig nor loads the code for it. */
export const podEnvironment = async (kubeconfig: string): Promise<Readonly<Record<string, string>>> => {
  const { clusters, users } = parse(await readFile(kubeconfig, 'utf8'))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const folder = await mkdtemp(join(tmpdir(), 'trellis-account-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  await writeFile(join(folder, 'token'), users[0].user.token)
  await writeFile(join(folder, 'namespace'), 'trellis')
  await writeFile(join(folder, 'ca.crt'), Buffer.from(ca, 'base64'))
  const { hostname, port } = new URL(server)
  return { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, BENCH_SERVICE_ACCOUNT: folder }
}
