import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFunctions } from '../../functions/find-functions.ts'
import { simulateLocal } from '../../functions/local/provider/simulate.ts'
import { startShootSeeds } from '../../sandbox/gardenlet/start-shoot-seeds.ts'
import { hasCloud, providerOf } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { LocalConnection } from '../../terraform-free-infra/local/local.ts'
import { localLandscape, localSeeds, localShoot } from './local-shoot.ts'
import { type Call, type MortalFunctions, mortalKubernetes } from './mortal-functions.ts'
import { observedSeed } from './observed-seed.ts'

const scale = 0.01

/** Two seeds, each with a gardenlet, with one provider cluster, one name server, and one volume for backups. */
export const startLocalWorld = async ({ mortals }: { readonly mortals?: MortalFunctions } = {}) => {
  const clock = systemClock
  const backups = await mkdtemp(join(tmpdir(), 'trellis-backups-'))
  const local = simulateLocal({ clock, scale })
  const functions = (await findFunctions()).filter(fn => providerOf(fn) === 'local' || !hasCloud(fn))
  const functionSettings = { clientQps: 1_000, clientBurst: 1_000, backupDirectory: backups }
  const ended = new AbortController()
  let writes: string[] = []
  local.onCall(({ isRead, action, about }) => {
    if (!isRead) writes.push(`${action}${about}`)
  })
  const { first, second, close } = await startShootSeeds({
    clouds: { local },
    seeds: localSeeds,
    landscape: localLandscape,
    functions,
    functionSettings,
    clock,
    ...(mortals && {
      startFunctions: mortals.start({
        clock,
        settings: functionSettings,
        connection: call => mortalConnection(local.connection, call),
      }),
    }),
  })
  const { technicalID: namespace } = localShoot.status
  return {
    functions,
    first: observedSeed(first, namespace, ended.signal),
    second: observedSeed(second, namespace, ended.signal),
    /** What the provider cluster has, as `<kind> <name>`. */
    held: () =>
      local.cluster
        .snapshot()
        .map(({ kind, metadata: { name } }) => `${kind} ${name}`)
        .toSorted(),
    records: () => local.nameServer.records().map(({ name, data }) => `${name} ${String(data)}`),
    /** The directories of the volume. */
    backups: async () => (await readdir(backups, { recursive: true })).toSorted(),
    /** The writing calls of functions and machine controllers since the last call. */
    cloudWrites: () => {
      const since = writes
      writes = []
      return since
    },
    close: async () => {
      ended.abort(new Error('the test has ended'))
      await close()
      await rm(backups, { recursive: true })
    },
  }
}
export type LocalWorld = Awaited<ReturnType<typeof startLocalWorld>>
export type LocalWorldSeed = LocalWorld['first']

/** A provider cluster and a name server of which the answers may not arrive. */
const mortalConnection = ({ providerCluster, nameServer }: LocalConnection, call: Call): LocalConnection => ({
  ...(providerCluster && { providerCluster: mortalKubernetes(providerCluster, call) }),
  ...(nameServer && {
    nameServer: { ...nameServer, exchange: (...input) => call(() => nameServer.exchange(...input), isUpdate(input[0])) },
  }),
})
