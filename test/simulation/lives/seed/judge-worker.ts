import { broken, runningCode, type World } from '../../../../sandbox/simulation/simulation.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { poolsOf } from './worker-changes.ts'

const nameOf = ({ resource }: { readonly resource: { readonly plural: string; readonly group: string } }) =>
  `${resource.plural}.${resource.group}`
const deploymentsName = nameOf(machineKinds.MachineDeployment)
const controller = 'machine-controller-manager'

type StoreEvent = Parameters<Parameters<World['first']['server']['store']['subscribe']>[0]>[1]

const replicasOf = ({ spec }: KubernetesObject): number => Number(Object(spec).replicas ?? 0)
const classOf = ({ spec }: KubernetesObject): string =>
  String(Object(Object(Object(Object(spec).template).spec).class).name)
const classOfMachine = ({ spec }: KubernetesObject): string => String(Object(Object(spec).class).name)
const isLeaving = ({ metadata }: KubernetesObject): boolean => metadata.deletionTimestamp !== undefined

/**
 * Watches what a Worker does with machines and what its successes report, by a model of its own: each pool has a
 * deployment for each zone, whose class exists and describes the pool, and all its machines are of this class.
 */
export const judgeWorker = ({ first: { server } }: World, namespace: string) => {
  const { store } = server
  const problems = new Set<string>()
  const all = (resource: string): readonly KubernetesObject[] =>
    store
      .collection(resource)
      .list(`${namespace}/`)
      .map(({ object }) => object)
  const cluster = (): KubernetesObject | undefined =>
    store.collection(nameOf(clusterKind)).get(namespace)?.object
  /** The Worker and the Cluster that the running step has read. */
  let read: { readonly worker: KubernetesObject; readonly cluster: KubernetesObject | undefined } | undefined
  /** gardenlet has scaled the machine controller since then. */
  let isScaled = false
  const sleeps = (): boolean => {
    const { shoot } = Object(read?.cluster?.spec)
    return shoot?.spec?.hibernation?.enabled === true
  }
  const wantedDeployments = (spec: unknown) =>
    poolsOf(Object(spec)).flatMap(pool => {
      const zones: readonly unknown[] = [pool.zones ?? []].flat()
      return zones.map((zone, index) => ({ name: `${namespace}-${pool.name}-z${index + 1}`, pool, zone }))
    })
  const running = (name: string): readonly KubernetesObject[] =>
    all(nameOf(machineKinds.Machine)).filter(
      machine =>
        machine.metadata.labels?.name === name &&
        !isLeaving(machine) &&
        /^(?:Running|Unknown)$/.test(Object(Object(machine.status).currentStatus).phase),
    )

  const seeDeployment = ({ type, entry: { object }, previous }: StoreEvent): void => {
    const owner = read?.worker
    if (runningCode.getStore()?.step?.kind !== 'Worker' || owner === undefined) return
    const { name } = object.metadata
    const leaves = isLeaving(object) && !(previous && isLeaving(previous.object))
    // A migration may leave deployments without machines.
    const hasMachines = all(nameOf(machineKinds.Machine)).some(
      ({ metadata }) => metadata.labels?.name === name,
    )
    if (leaves && hasMachines && !isLeaving(owner) && !sleeps())
      for (const one of all(deploymentsName)) {
        const isWanted = wantedDeployments(owner.spec).some(wanted => wanted.name === one.metadata.name)
        if (
          isWanted &&
          one.metadata.name !== name &&
          running(one.metadata.name).length < Math.min(1, replicasOf(one))
        )
          problems.add(
            broken('nothing is doubled', `${name} is deleted before a machine of ${one.metadata.name} runs`),
          )
      }
    if (type === 'DELETED' || leaves) return
    const used = store
      .collection(nameOf(machineKinds.MachineClass))
      .get(`${namespace}/${classOf(object)}`)?.object
    const hadClass = previous && classOf(previous.object) === classOf(object)
    if (!hadClass && (used === undefined || isLeaving(used)))
      problems.add(
        broken(
          'the live state is the wanted one',
          `${name} gets the class ${classOf(object)}, which is ${used ? 'in deletion' : 'missing'}`,
        ),
      )
    const pools = poolsOf(Object(owner.spec))
    const pool = pools.find(one => name.startsWith(`${namespace}-${one.name}-z`))
    const [before, after] = [previous ? replicasOf(previous.object) : 0, replicasOf(object)]
    const zones = [pool?.zones ?? []].flat().length || 1
    const isScaled = pools.some(one => Number(one.maximum) > Number(one.minimum))
    const isWithin =
      before >= Math.ceil(Number(pool?.minimum) / zones) &&
      before <= Math.floor(Number(pool?.maximum) / zones)
    if (isScaled && before > 0 && isWithin && before !== after && !sleeps() && !isLeaving(owner))
      problems.add(
        broken(
          'nothing of others is touched',
          `${name}: the autoscaler wanted ${before} machines, a step wrote ${after}`,
        ),
      )
  }
  const seeSuccess = (object: KubernetesObject): void => {
    const fail = (what: string): void => {
      problems.add(broken('the live state is the wanted one', `Worker ${namespace} succeeded, but ${what}`))
    }
    const wanted = wantedDeployments(object.spec)
    const live = new Map(all(deploymentsName).map(one => [one.metadata.name, one]))
    const isOff =
      replicasOf(store.collection('deployments.apps').get(`${namespace}/${controller}`)?.object ?? object) ===
      0
    if (isOff !== sleeps() && !isScaled) fail(`the machine controller ${isOff ? 'does not run' : 'runs'}`)
    const names = new Set(wanted.map(({ name }) => name))
    // Without a machine controller no deletion ends.
    for (const [name, one] of live)
      if (!names.has(name) && !(sleeps() && isLeaving(one))) fail(`${name} is left`)
    for (const { name, pool, zone } of wanted) {
      const deployment = live.get(name)
      if (deployment === undefined || (isLeaving(deployment) && !sleeps())) {
        fail(`${name} is missing`)
        continue
      }
      const className = classOf(deployment)
      // Without a machine controller no deletion ends, so a deployment may keep its former class until the wake-up.
      const isHeldBack =
        sleeps() &&
        [...all(nameOf(machineKinds.MachineClass)), ...all('secrets')].some(
          one => isLeaving(one) && one.metadata.name.startsWith(`${name}-`),
        )
      const own = store.collection(nameOf(machineKinds.MachineClass)).get(`${namespace}/${className}`)?.object
      const text = JSON.stringify(own ?? {})
      if (own === undefined || isLeaving(own)) fail(`the class ${className} of ${name} is missing`)
      else if (pool.volume !== undefined && !isHeldBack)
        for (const part of [pool.machineType, String(zone)])
          if (!text.includes(String(part))) fail(`the class of ${name} has no ${part}`)
      const labels = JSON.stringify(Object(deployment.spec).template)
      for (const label of isHeldBack ? [] : Object.keys(Object(pool.labels)))
        if (!labels.includes(label)) fail(`${name} has no label ${label}`)
      const ofDeployment = all(nameOf(machineKinds.Machine)).filter(
        machine => machine.metadata.labels?.name === name && !isLeaving(machine),
      )
      if (sleeps()) {
        if (replicasOf(deployment) > 0 || ofDeployment.length > 0)
          fail(`${name} has ${ofDeployment.length} machines in hibernation`)
        continue
      }
      const zones = [pool.zones ?? []].flat().length
      if (replicasOf(deployment) < Math.floor(Number(pool.minimum) / zones))
        fail(`${name} has ${replicasOf(deployment)} replicas`)
      const old = running(name).filter(machine => classOfMachine(machine) !== className)
      if (old.length > 0)
        fail(`${old.map(({ metadata }) => metadata.name).join(', ')} of ${name} have a former class`)
    }
  }
  const end = store.subscribe((resource, event) => {
    if (resource === deploymentsName) return seeDeployment(event)
    if (event.key.endsWith(`/${controller}`) && runningCode.getStore()?.step === undefined) isScaled = true
    if (resource !== nameOf(kinds.Worker) || event.type !== 'MODIFIED') return
    const { object } = event.entry
    const step = object.metadata.annotations?.[annotations.step]
    if (
      step !== event.previous?.object.metadata.annotations?.[annotations.step] &&
      step?.includes('"claimed"')
    ) {
      read = { worker: object, cluster: cluster() }
      isScaled = false
    }
    if (read === undefined || read.cluster !== cluster()) return
    const { lastOperation, observedGeneration } = Object(object.status)
    const former = Object(Object(event.previous?.object.status).lastOperation)
    if (lastOperation?.state !== 'Succeeded' || former.state === 'Succeeded' || isLeaving(object)) return
    if (lastOperation.type !== 'Migrate' && observedGeneration === object.metadata.generation)
      seeSuccess(object)
  })
  return { end, problems: () => [...problems].slice(0, 6) }
}
