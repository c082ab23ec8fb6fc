import type { GardenShoot } from '../../../gardenlet/gardenlet.ts'
import { storeKey } from '../../../kubernetes/kubernetes.ts'
import type { NamedCloud, RandomCloud } from '../../../simulation/random/random.ts'
import type { CloudSideOptions } from '../../../simulation/simulation.ts'
import { createLocalSide } from './local-side.ts'

type LocalChanges = Readonly<Record<string, (shoot: GardenShoot, pick: number) => GardenShoot>>

const withWorkers = (
  { spec, ...shoot }: GardenShoot,
  workers: GardenShoot['spec']['provider']['workers'],
): GardenShoot => ({ ...shoot, spec: { ...spec, provider: { ...spec.provider, workers } } })

const changes: LocalChanges = {
  'change the number of machines': (shoot, pick) =>
    withWorkers(
      shoot,
      shoot.spec.provider.workers.map(pool => ({
        ...pool,
        minimum: 1 + (pick % 2),
        maximum: 1 + (pick % 2),
      })),
    ),
  'remove a pool': shoot => withWorkers(shoot, shoot.spec.provider.workers.slice(0, 1)),
  'change the version of Kubernetes': (shoot, pick) => ({
    ...shoot,
    spec: { ...shoot.spec, kubernetes: { version: pick % 2 === 0 ? '1.33.3' : '1.34.1' } },
  }),
}

const policies = 'networkpolicies.networking.k8s.io'
const pods = 'pods'

const createRandomLocal = (backupDirectory: string, options: CloudSideOptions): RandomCloud => {
  const side = createLocalSide(backupDirectory)(options)
  const { local, shoot } = side
  let writes = 0
  local.onCall(({ isRead }) => {
    if (!isRead) writes += 1
  })
  const { store } = local.cluster.server
  const removeOne = async (collection: string, pick: number): Promise<string | undefined> => {
    const objects = store.collection(collection).list()
    const { name, namespace } = objects[pick % Math.max(objects.length, 1)]?.object.metadata ?? {}
    if (name === undefined) return undefined
    store.collection(collection).remove(storeKey(namespace, name))
    return name
  }
  return {
    ...side,
    shootNumber: index => (index === 0 ? shoot : renamedShoot(shoot, `moss${index + 1}`, index)),
    changes,
    accidents: {
      'delete a NetworkPolicy': pick => removeOne(policies, pick),
      'end a machine': pick => removeOne(pods, pick),
    },
    // Functions of provider-local read no credentials.
    refuseCredentials: () => () => {},
    changeCredentials: () => {},
    addForeign: async () => {
      local.cluster.restore([
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'others', uid: 'others' } },
        { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'notes', namespace: 'others', uid: 'notes' } },
      ])
    },
    isOfShoot: about => /\/namespaces\//.test(about),
    writes: () => writes,
  }
}

const renamedShoot = (shoot: GardenShoot, name: string, index: number): GardenShoot => ({
  ...shoot,
  metadata: { ...shoot.metadata, name, uid: `${shoot.metadata.uid.slice(0, -4)}${1000 + index}` },
  spec: { ...shoot.spec, dns: { domain: shoot.spec.dns.domain.replace(shoot.metadata.name, name) } },
  status: { ...shoot.status, technicalID: `shoot--garden--${name}` },
})

/** @param newDirectory returns an existing, empty directory for each run */
export const randomLocal = (newDirectory: () => string): NamedCloud => ({
  name: 'local',
  create: options => createRandomLocal(newDirectory(), options),
  changes: Object.keys(changes),
  accidents: ['delete a NetworkPolicy', 'end a machine'],
})
