import { libraryName } from '../../../build/project/project.ts'
import type { DeploymentMode } from '../../../knative/knative.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { compareVersions, isVersion, parseVersion } from '../../../shared/text/semantic-version.ts'
import { environmentOf } from '../bridge-facts.ts'
import { type CheckedSeed, objectsOf } from '../checked-seed.ts'
import { modeOf } from '../deployed-functions.ts'
import { type Diagnosis, type DoctorCheck, ok, problem, someOf, warning } from '../diagnosis.ts'
import type { ReadName } from '../reads.ts'

/** Upgrades and rollbacks are supported across this many minor versions (docs/support.md#upgrades-and-rollbacks). */
const mostMinorsApart = 2

interface VersionedProgram {
  readonly name: string
  /** The annotation. Absent: the program has none. */
  readonly version: string | undefined
}

const versionCheck = (mode: DeploymentMode, needs: readonly ReadName[]): DoctorCheck => ({
  area: 'versions',
  about: 'versions of bridge, functions and webhooks',
  mode,
  needs,
  run: seed => {
    const programs = programsIn(seed)
    // An installation from before the annotation has no version to compare.
    if (programs.every(({ version }) => version === undefined)) return []
    const versions = [...Map.groupBy(programs.filter(hasVersion), ({ version }) => version)]
      .map(([version, own]) => ({ version, names: own.map(({ name }) => name) }))
      .toSorted((a, b) => compareVersions(b.version, a.version))
    return [
      ...skewDiagnoses(versions, programs.length),
      ...unknownDiagnoses(programs, versions[0]?.version ?? seed.version),
      ...ownDiagnoses(versions, seed.version),
    ]
  },
})

export const versionChecks: readonly DoctorCheck[] = [
  versionCheck('knative', ['deployments', 'services']),
  versionCheck('seed-process', ['deployments']),
]

/** Deployments of Knative's revisions have none of these variables. */
const programVariables = ['TRELLIS_SERVED', 'TRELLIS_COMPONENTS']

/** Returns the bridge and the webhooks, then the Services of functions. */
const programsIn = (seed: CheckedSeed): readonly VersionedProgram[] => {
  const deployments = objectsOf(seed, 'deployments').filter(deployment => {
    const { value } = environmentOf(deployment)
    return programVariables.some(variable => value(variable) !== undefined)
  })
  // The seed process does not use Services that are left of the other mode.
  const services = modeOf(seed) === 'knative' ? objectsOf(seed, 'services') : []
  return [...deployments, ...services].map(({ metadata }) => ({
    name: metadata.name,
    version: metadata.annotations?.[annotations.version],
  }))
}

const hasVersion = (program: VersionedProgram): program is VersionedProgram & { readonly version: string } =>
  program.version !== undefined && isVersion(program.version)

interface DeployedVersion {
  readonly version: string
  readonly names: readonly string[]
}

const listed = (versions: readonly DeployedVersion[]): string =>
  versions.map(({ version, names }) => `${version} (${someOf(names, 3)})`).join(', ')

const supportPage = 'docs/support.md#upgrades-and-rollbacks'

/** @param versions the newest first */
const skewDiagnoses = (versions: readonly DeployedVersion[], programs: number): readonly Diagnosis[] => {
  const [newest] = versions
  const oldest = versions.at(-1)
  if (newest === undefined || oldest === undefined) return []
  if (versions.length === 1)
    return [ok(`${newest.names.length} of ${programs} programs have version ${listed(versions)}`)]
  return [
    areFarApart(oldest.version, newest.version)
      ? problem(
          `programs run together whose versions are too far apart: ${listed(versions)}`,
          `upgrade in steps of at most ${mostMinorsApart} minor versions, each for all programs (${supportPage})`,
        )
      : warning(
          `programs of ${versions.length} versions run together: ${listed(versions)}`,
          `finish the upgrade or the rollback: install all of them from the manifests, chart or registration of one version. Until then, these versions may run together (${supportPage})`,
        ),
  ]
}

const areFarApart = (oldest: string, newest: string): boolean => {
  const [oldMajor = 0, oldMinor = 0] = parseVersion(oldest)?.numbers ?? []
  const [major = 0, minor = 0] = parseVersion(newest)?.numbers ?? []
  return major !== oldMajor || minor - oldMinor > mostMinorsApart
}

const unknownDiagnoses = (programs: readonly VersionedProgram[], wanted: string): readonly Diagnosis[] => {
  const unknown = programs.filter(program => !hasVersion(program))
  if (unknown.length === 0) return []
  const names = unknown.map(({ name, version }) =>
    version === undefined ? name : `${name} (${JSON.stringify(version)})`,
  )
  return [
    warning(
      `${unknown.length} programs have no valid version in the annotation ${annotations.version}: ${someOf(names)}`,
      `they are from a version before the annotation, or it was changed: install them again with version ${wanted}, from its manifests, chart or registration`,
    ),
  ]
}

/** The other checks compare the seed with the definitions of this command. */
const ownDiagnoses = (versions: readonly DeployedVersion[], own: string): readonly Diagnosis[] => {
  const [newest] = versions
  if (newest === undefined || versions.some(({ version }) => compareVersions(version, own) === 0)) return []
  const age = compareVersions(newest.version, own) > 0 ? 'newer' : 'older'
  const library = `${libraryName}@${newest.version}`
  return [
    warning(
      `the seed has version ${newest.version}, which is ${age} than this command (${own}): the other checks compare it with ${own}`,
      `use the same version: npx ${library} doctor; in a project of functions, npm install ${library} first`,
    ),
  ]
}
