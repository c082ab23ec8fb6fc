import type { EtcdBackup } from '../../../sandbox/kubernetes/kubernetes.ts'
import { detailsOf, isRead, operatorCredentials } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { loadSimulatedCode } from '../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { kindNames, kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { continueWorld } from '../continue-world.ts'
import { loadWorld } from './saved-world.ts'

// Reconciles all extension objects of a saved world with the sources around this file, and prints what they change, as
// a list in JSON: node act.ts WORLD

type Server = ReadonlyMap<string, KubernetesObject>

const objectsIn = ({ objects }: EtcdBackup): Server =>
  new Map(
    [...objects].flatMap(([resource, all]) =>
      [...all].map(([key, { object }]) => [`${resource} ${key}`, object] as const),
    ),
  )

/** The objects that functions write. */
const written = /^(?:secrets|configmaps|managedresources\.|machineclasses\.|machinedeployments\.)/

/** Everything but operations, times, and the status, which other controllers write. */
const contentOf = ({ status: _, metadata, ...object }: KubernetesObject): string => {
  const { labels, annotations: all = {} } = metadata
  const kept = Object.entries(all).filter(([key]) => !/^(?:trellis\.)?gardener\.cloud\//.test(key))
  return JSON.stringify({ ...object, labels, kept })
}

/** The status without the fields of every operation. */
const statusOf = (object: KubernetesObject | undefined): string => {
  const {
    lastOperation: _,
    lastError: __,
    observedGeneration: ___,
    conditions: ____,
    ...status
  } = Object(object?.status)
  return JSON.stringify(status)
}

const isExtension = ({ kind }: KubernetesObject): boolean => kindNames.some(name => name === kind)

const changesOf = (before: Server, after: Server): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap(key => {
    const [old, now] = [before.get(key), after.get(key)]
    if (now !== undefined && isExtension(now)) {
      const { description } = Object(Object(now.status).lastError)
      const name = `${now.kind} ${now.metadata.name}`
      return [
        ...(statusOf(old) === statusOf(now) ? [] : [`status ${name}`]),
        ...(description === undefined ? [] : [`${name} fails: ${description}`]),
      ]
    }
    if (!written.test(key) || (old && now && contentOf(old) === contentOf(now))) return []
    return [`${old === undefined ? 'create' : now === undefined ? 'delete' : 'update'} ${key}`]
  })

const [file = ''] = process.argv.slice(2)
const world = await loadWorld(file)
const code = await loadSimulatedCode()
const acted = await continueWorld(code, world, async one => {
  const { first, cloud, clock } = one.world
  const before = objectsIn(first.server.backUp())
  cloud.aws.calls.clear()
  for (const object of before.values()) {
    if (!isExtension(object)) continue
    const kind = kindNames.find(name => name === object.kind) ?? 'Worker'
    await first.kubernetes.patch(kinds[kind].resource, object.metadata, {
      metadata: { annotations: { [annotations.operation]: 'reconcile' } },
    })
  }
  // Long enough for a roll of two nodes.
  await clock.sleep(45 * 60_000)
  const calls = cloud.aws.calls
    .all()
    .filter(call => !isRead(call) && call.accessKeyId !== operatorCredentials.accessKeyId)
    .map(call => `${call.action}${detailsOf(call)}`)
  return [...calls, ...changesOf(before, objectsIn(first.server.backUp()))]
})
console.info(JSON.stringify([...new Set(acted)]))
