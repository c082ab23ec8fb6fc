import { leaseOf } from '../../../bridge/bridge.ts'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import { bridgeDeploymentOf, environmentOf } from '../bridge-facts.ts'
import { type CheckedSeed, objectsOf, serverNow } from '../checked-seed.ts'
import { whyNotReady } from '../conditions.ts'
import { deployedNames, modeOf } from '../deployed-functions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import { rolloutOf } from '../rollout.ts'

/**
 * gardenlet regards an extension as dead after this time without a renewal (docs/contract/health.md#what-is-outdated).
 */
const outdatedMs = 300_000

export const bridgeChecks: readonly DoctorCheck[] = [
  {
    area: 'bridge',
    about: 'replicas of the bridge',
    needs: ['deployments'],
    run: seed => {
      const { name, deployment } = bridgeDeploymentOf(seed)
      const { namespace } = seed
      if (deployment === undefined)
        return [
          problem(
            `the namespace ${namespace} has no Deployment of a bridge, so no events are sent`,
            'install Trellis (docs/installing.md), or give its namespace: trellis doctor --namespace',
          ),
        ]
      const { state, wanted, available, why } = rolloutOf(deployment, seed)
      if (state === 'complete')
        return [ok(`${available} of ${wanted} replicas of the Deployment ${name} are available`)]
      const advice = `kubectl -n ${namespace} describe deployment ${name}; kubectl -n ${namespace} logs deployment/${name}${modeOf(seed) === 'seed-process' ? ' | grep "program does not start"' : ''}`
      const text = `${available} of ${wanted} replicas of the bridge's Deployment ${name} are available${why === '' ? '' : `: ${why}`}`
      if (state === 'no replicas')
        return [
          problem(
            text,
            `kubectl -n ${namespace} scale deployment ${name} --replicas ${modeOf(seed) === 'knative' ? 2 : 1}`,
          ),
        ]
      return [state === 'in progress' ? warning(text, advice) : problem(text, advice)]
    },
  },
  {
    area: 'bridge',
    about: 'address of the broker',
    mode: 'knative',
    needs: ['sinkBindings', 'deployments'],
    run: seed => {
      const { name, deployment } = bridgeDeploymentOf(seed)
      // A missing bridge is reported once, by another check.
      if (deployment === undefined) return []
      const binding = objectsOf(seed, 'sinkBindings').find(
        ({ spec }) => recordOf(recordOf(spec).subject).name === name,
      )
      const sink = environmentOf(deployment)
      if (binding === undefined)
        return (sink.value('TRELLIS_SINK') ?? sink.value('K_SINK'))
          ? [ok('the bridge has a sink in its own environment')]
          : [
              problem(
                `no SinkBinding selects the Deployment ${name}: the bridge does not start without a sink`,
                `apply the SinkBinding of ${seed.namespace} again from the manifests, chart or registration that installed it`,
              ),
            ]
      const why = whyNotReady(binding)
      return why === undefined
        ? [ok(`the SinkBinding ${binding.metadata.name} is ready`)]
        : [
            problem(
              `the SinkBinding ${binding.metadata.name} is not ready: ${why}`,
              `kubectl -n ${seed.namespace} describe sinkbinding ${binding.metadata.name}; usually its Broker is missing or not ready`,
            ),
          ]
    },
  },
  {
    area: 'bridge',
    about: 'leader of the bridge',
    needs: ['leases', 'deployments'],
    run: seed => leadership(seed),
  },
  {
    area: 'bridge',
    about: 'kinds and types that the bridge watches',
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
              `the bridge does not watch ${someOf(unseen)}: it sends no events for them`,
              `apply the bridge's Deployment again from the installation of these functions: its TRELLIS_SERVED (or TRELLIS_KINDS) lacks them; kubectl -n ${seed.namespace} set env deployment/${name} --list shows it`,
            ),
          ]
    },
  },
  {
    area: 'bridge',
    about: 'heartbeats for gardenlet',
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
  const names = deployedNames(seed)
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
  if (leases.length === 0)
    return [problem('no bridge has acquired the Lease, so no bridge sends events', log)]
  return leases.map(lease => {
    const { holder, durationMs, renewTime } = leaseOf(lease)
    const ageMs = serverNow(seed) - (parseTimestamp(renewTime) ?? 0)
    if (holder === '')
      return problem(`the Lease ${lease.metadata.name} has no holder, so no bridge sends events`, log)
    return ageMs > durationMs + 5_000
      ? problem(
          `the Lease ${lease.metadata.name} was renewed ${Math.round(ageMs / 1000)} s ago and expires after ${durationMs / 1000} s, so no bridge sends events`,
          log,
        )
      : ok(`${holder.replace(/_.*/, '')} holds the Lease ${lease.metadata.name}`)
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
    if (renewed.length === 0)
      return warning(
        `${extension} has no heartbeat: gardenlet considers the health of its objects outdated`,
        `${log}; TRELLIS_EXTENSIONS lists names of ControllerRegistrations, for which gardenlet creates namespaces`,
      )
    const ageMs = serverNow(seed) - Math.max(...renewed)
    return ageMs > outdatedMs
      ? problem(
          `the heartbeat of ${extension} is ${Math.round(ageMs / 1000)} s old: gardenlet considers the health of its objects outdated`,
          `${log}; the bridge stops the heartbeat if no function answers health checks`,
        )
      : ok(`the heartbeat of ${extension} is fresh`)
  })
}
