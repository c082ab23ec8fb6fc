import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { type AccountSnapshot, createAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { restoreServer, type WorldBackup } from '../../../sandbox/simulation/simulation.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../../shared/contract/crds/crd-of.ts'

/** Serves the seed and the account of a world at rest, for commands. */
export const serveWorld = async ({ first, cloud }: Pick<WorldBackup, 'first' | 'cloud'>) => {
  const server = createApiServer({
    clock: systemClock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds()],
  })
  restoreServer(server, first)
  const aws = createAws({ clock: systemClock })
  const { accounts } = cloud as { readonly accounts: readonly AccountSnapshot[] }
  for (const account of accounts) aws.account(account.id).restore(account)
  const [api, endpoint] = await Promise.all([server.listen(), aws.listen()])
  const folder = await mkdtemp(join(tmpdir(), 'trellis-served-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'seed',
      clusters: [{ name: 'seed', cluster: { server: api.url } }],
      users: [{ name: 'operator', user: {} }],
      contexts: [{ name: 'seed', context: { cluster: 'seed', user: 'operator' } }],
    }),
  )
  return {
    server,
    aws,
    kubeconfig,
    endpoint: endpoint.url,
    close: async () => {
      await Promise.all([api.close(), endpoint.close()])
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
