import { leaseOf } from '../../../bridge/bridge.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import { bridgeDeploymentOf, environmentOf } from '../bridge-facts.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { conditionOf, isReady, whyNotReady } from '../conditions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import { podReasons, podsOf } from '../pod-reasons.ts'
import { targetOf } from '../trigger-target.ts'

/**
 * gardenlet regards an extension as dead after this time without a renewal (docs/contract/health.md#what-is-outdated).
 */
const outdatedMs = 300_000

export const bridgeChecks: readonly DoctorCheck[] = [
  {
    area: 'bridge',
    about: 'whether it runs',
    needs: ['deployments'],
    run: seed => {
      const { name, deployment } = bridgeDeploymentOf(seed)
      const { namespace } = seed
      if (deployment === undefined) {
        return [
          problem(
            `there is no Deployment of a bridge in the namespace ${namespace}: nobody sends events`,
            'install Trellis (docs/operations.md#install), or name where it is: trellis doctor --namespace',
          ),
        ]
      }
      const wanted = Number(recordOf(deployment.spec).replicas ?? 1)
      const available = Number(recordOf(deployment.status).availableReplicas ?? 0)
      if (wanted > 0 && available >= wanted)
        return [ok(`of the Deployment ${name} ${available} of ${wanted} bridges are available`)]
      const why = podReasons(podsOf(seed, name))
      const advice = `kubectl -n ${namespace} describe deployment ${name}; kubectl -n ${namespace} logs deployment/${name}`
      const text = `${available} of ${wanted} bridges of the Deployment ${name} are available${why === '' ? '' : `: ${why}`}`
      if (wanted === 0)
        return [problem(text, `kubectl -n ${namespace} scale deployment ${name} --replicas 2`)]
      return [available === 0 ? problem(text, advice) : warning(text, advice)]
    },
  },
  {
    area: 'bridge',
    about: 'whether it is told where the broker is',
    needs: ['sinkBindings', 'deployments'],
    run: seed => {
      const { name, deployment } = bridgeDeploymentOf(seed)
      // A missing bridge is reported once, by another check.
      if (deployment === undefined) return []
      const binding = objectsOf(seed, 'sinkBindings').find(
        ({ spec }) => recordOf(recordOf(spec).subject).name === name,
      )
      const sink = environmentOf(deployment)
      if (binding === undefined) {
        return (sink.value('TRELLIS_SINK') ?? sink.value('K_SINK'))
          ? [ok('the bridge has a sink of its own in its environment')]
          : [
              problem(
                `no SinkBinding is for the Deployment ${name}: the bridge does not start without a sink`,
                `apply the SinkBinding of ${seed.namespace} again, with the manifests, chart or registration that installed it`,
              ),
            ]
      }
      return isReady(binding)
        ? [ok(`the SinkBinding ${binding.metadata.name} is ready`)]
        : [
            problem(
              `the SinkBinding ${binding.metadata.name} is not ready: ${whyNotReady(conditionOf(binding, 'Ready'))}`,
              `kubectl -n ${seed.namespace} describe sinkbinding ${binding.metadata.name}; most often its Broker is missing or not ready`,
            ),
          ]
    },
  },
  {
    area: 'bridge',
    about: 'whether one of them leads',
    needs: ['leases', 'deployments'],
    run: seed => leadership(seed),
  },
  {
    area: 'bridge',
    about: 'whether it watches what functions are there for',
    needs: ['deployments', 'triggers'],
    run: seed => {
      const { name, deployment } = bridgeDeploymentOf(seed)
      if (deployment === undefined) return []
      const { value, complete } = environmentOf(deployment)
      const served = value('TRELLIS_SERVED')
      const watched = value('TRELLIS_KINDS')
      // The setting may come from a source that was not read.
      if (!complete && served === undefined && watched === undefined) return []
      const sees = seenBy(served, watched)
      const unseen = deployedFunctions(seed).flatMap(({ name: of, kind, types }) =>
        types.filter(type => !sees(kind, type)).map(type => `${of} (${kind}/${type})`),
      )
      return unseen.length === 0
        ? [ok('the bridge watches all kinds and types of the functions')]
        : [
            problem(
              `the bridge does not watch for ${someOf(unseen)}: no event is ever sent for them`,
              `apply the bridge's Deployment again, as install makes it of the functions: its TRELLIS_SERVED (or TRELLIS_KINDS) leaves them out; kubectl -n ${seed.namespace} set env deployment/${name} --list shows it`,
            ),
          ]
    },
  },
  {
    area: 'bridge',
    about: 'whether gardenlet sees its extensions alive',
    needs: ['heartbeats', 'deployments'],
    run: seed => heartbeats(seed),
  },
]

/** Returns the objects for which a bridge with these settings sends events; absent settings exclude nothing. */
const seenBy = (served: string | undefined, kinds: string | undefined) => {
  const pairs = (served ?? '')
    .split(',')
    .filter(Boolean)
    .map(entry => entry.split('/').slice(0, 2).join('/'))
  const names = (kinds ?? '').split(',').filter(Boolean)
  return (kind: string, type: string): boolean =>
    (pairs.length === 0 || pairs.includes(`${kind}/${type}`)) && (names.length === 0 || names.includes(kind))
}

const deployedFunctions = (seed: CheckedSeed) => {
  const names = new Set(objectsOf(seed, 'triggers').map(trigger => targetOf(trigger).functionName))
  return seed.functions.filter(({ name }) => names.has(name))
}

const leadership = (seed: CheckedSeed): readonly Diagnosis[] => {
  const { name, deployment } = bridgeDeploymentOf(seed)
  if (deployment === undefined || environmentOf(deployment).value('TRELLIS_LEADER_ELECTION') === 'false')
    return []
  const log = `kubectl -n ${seed.namespace} logs deployment/${name} | grep lease`
  const leases = objectsOf(seed, 'leases').filter(
    lease => leaseOf(lease).holder.startsWith(`${name}-`) || /bridge/.test(lease.metadata.name),
  )
  if (leases.length === 0) return [problem('no bridge has ever taken the Lease: none sends', log)]
  return leases.map(lease => {
    const { holder, durationMs, renewTime } = leaseOf(lease)
    const ageMs = serverNow(seed) - (parseTimestamp(renewTime) ?? 0)
    if (holder === '') return problem(`nobody holds the Lease ${lease.metadata.name}: no bridge sends`, log)
    return ageMs > durationMs + 5_000
      ? problem(
          `the Lease ${lease.metadata.name} was renewed ${Math.round(ageMs / 1000)} s ago, and holds for ${durationMs / 1000} s: no bridge sends`,
          log,
        )
      : ok(`${holder.replace(/_.*/, '')} leads by the Lease ${lease.metadata.name}`)
  })
}

const heartbeats = (seed: CheckedSeed): readonly Diagnosis[] => {
  const { name, deployment } = bridgeDeploymentOf(seed)
  const wanted = (environmentOf(deployment).value('TRELLIS_EXTENSIONS') ?? '')
    .split(',')
    .map(entry => entry.trim().replace(/[/=].*/, ''))
    .filter(extension => extension !== '')
  return wanted.map(extension => {
    const renewed = objectsOf(seed, 'heartbeats')
      .map(leaseOf)
      .filter(({ holder }) => holder === extension)
      .map(({ renewTime }) => parseTimestamp(renewTime) ?? 0)
    const log = `kubectl -n ${seed.namespace} logs deployment/${name} | grep heartbeat`
    if (renewed.length === 0) {
      return warning(
        `there is no heartbeat of ${extension}: gardenlet takes the health of its objects for outdated`,
        `${log}; TRELLIS_EXTENSIONS has names of ControllerRegistrations, whose namespaces gardenlet makes`,
      )
    }
    const ageMs = serverNow(seed) - Math.max(...renewed)
    return ageMs > outdatedMs
      ? problem(
          `the heartbeat of ${extension} is ${Math.round(ageMs / 1000)} s old: gardenlet takes the health of its objects for outdated`,
          `${log}; the bridge stops it where no function answers checks of health`,
        )
      : ok(`the heartbeat of ${extension} is fresh`)
  })
}
