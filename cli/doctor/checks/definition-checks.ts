import { clusterKind, type KindName, kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { managedResourceKind } from '../../../shared/contract/resource-kinds.ts'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { GroupVersionResource } from '../../../shared/kubernetes/kubernetes.ts'
import { when } from '../../../shared/lists/when.ts'
import { type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { listOf, whyNotReady } from '../conditions.ts'
import { deployedNames } from '../deployed-functions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import { machineResources } from '../reads.ts'

type Defined = 'served' | 'missing' | 'another version' | 'not established'

const nameOf = ({ plural, group }: Pick<GroupVersionResource, 'plural' | 'group'>) => `${plural}.${group}`

const definedAs = (seed: CheckedSeed, name: string, version: string): Defined => {
  const definition = objectsOf(seed, 'definitions').find(({ metadata }) => metadata.name === name)
  if (definition === undefined) return 'missing'
  const versions = listOf(recordOf(definition.spec).versions).map(recordOf)
  if (!versions.some(one => one.name === version && one.served === true)) return 'another version'
  return whyNotReady(definition, 'Established') === undefined ? 'served' : 'not established'
}

/** Checks a group that another project installs: which kinds are missing, and how to install them. */
const groupCheck = (
  what: string,
  wanted: (seed: CheckedSeed) => readonly { readonly name: string; readonly version: string }[],
  advice: string,
  mode?: DoctorCheck['mode'],
): DoctorCheck => ({
  ...(mode !== undefined && { mode }),
  area: 'definitions',
  about: `definitions of ${what}`,
  needs: ['definitions'],
  run: seed => {
    const all = wanted(seed).map(({ name, version }) => ({
      name,
      version,
      state: definedAs(seed, name, version),
    }))
    const namesOf = (state: Defined) => all.filter(one => one.state === state).map(({ name }) => name)
    const missing = namesOf('missing')
    const others = all.filter(({ state }) => state === 'another version')
    const pending = namesOf('not established')
    const found: readonly Diagnosis[] = [
      ...(missing.length === 0 ? [] : [problem(`${what}: ${someOf(missing)} missing`, advice)]),
      ...when(
        others.length > 0,
        problem(
          `${what}: ${someOf(others.map(({ name, version }) => `${name} does not serve ${version}`))}`,
          `${advice}, of a version that serves it (docs/support.md#versions)`,
        ),
      ),
      ...when(
        pending.length > 0,
        problem(
          `${what}: ${someOf(pending)} not established, or being deleted`,
          `kubectl describe crd ${pending[0]}: its conditions say why`,
        ),
      ),
    ]
    return found.length > 0 ? found : [ok(`${what} are defined`)]
  },
})

/** A kind that is unused without a function may be newer than the seed's Gardener. */
const deployedKinds = (seed: CheckedSeed): readonly KindName[] => {
  const names = deployedNames(seed)
  const deployed = seed.functions.filter(({ name }) => names.has(name)).map(({ kind }) => kind)
  return deployed.length === 0 ? kindNames.filter(kind => kind !== 'SelfHostedShootExposure') : deployed
}

const orSeedProcess = 'or run without Knative: trellis install --mode seed-process (docs/seed-process.md)'

export const definitionChecks: readonly DoctorCheck[] = [
  groupCheck(
    'the extension kinds of Gardener',
    seed =>
      [...new Set(deployedKinds(seed)).values()]
        .map(kind => kinds[kind].resource)
        .concat(clusterKind.resource)
        .map(resource => ({ name: nameOf(resource), version: resource.version })),
    'this is not a Gardener seed, or the wrong context: kubectl config current-context. gardenlet installs these kinds; for a sandbox, apply the output of trellis crds',
  ),
  groupCheck(
    'the kinds of Knative Eventing',
    () =>
      [
        'brokers.eventing.knative.dev',
        'triggers.eventing.knative.dev',
        'sinkbindings.sources.knative.dev',
      ].map(name => ({ name, version: 'v1' })),
    `install Knative Eventing: https://knative.dev/docs/install/yaml-install/eventing/, ${orSeedProcess}`,
    'knative',
  ),
  groupCheck(
    'the kinds of Knative Serving',
    () => [{ name: 'services.serving.knative.dev', version: 'v1' }],
    `install Knative Serving: https://knative.dev/docs/install/yaml-install/serving/, ${orSeedProcess}`,
    'knative',
  ),
  groupCheck(
    'ManagedResources',
    () => [{ name: nameOf(managedResourceKind.resource), version: managedResourceKind.resource.version }],
    'this is not a Gardener seed: there, gardenlet installs gardener-resource-manager with these kinds',
  ),
  {
    area: 'definitions',
    about: 'definitions of the machine kinds',
    needs: ['definitions'],
    run: seed => {
      const missing = machineResources.filter(name => definedAs(seed, name, 'v1alpha1') !== 'served')
      return missing.length === 0
        ? [ok('the machine kinds are defined')]
        : [
            warning(
              `the machine kinds: ${someOf(missing)} missing, so no Worker can be reconciled`,
              'gardenlet installs them with the first shoot that has nodes; kubectl get crd | grep machine.sapcloud.io',
            ),
          ]
    },
  },
]
