import { permissionName } from '../../shared/kubernetes/kubernetes.ts'
import type { CheckedSeed, ReadOutcome } from './checked-seed.ts'
import { bridgeChecks } from './checks/bridge-checks.ts'
import { brokerChecks } from './checks/broker-checks.ts'
import { brokerClassChecks } from './checks/broker-class-checks.ts'
import { clockChecks } from './checks/clock-checks.ts'
import { definitionChecks } from './checks/definition-checks.ts'
import { objectChecks } from './checks/object-checks.ts'
import { otherExtensionChecks } from './checks/other-extension-checks.ts'
import { pauseChecks } from './checks/pause-checks.ts'
import { rightChecks } from './checks/right-checks.ts'
import { secondaryChecks } from './checks/secondary-checks.ts'
import { seedProcessChecks } from './checks/seed-process-checks.ts'
import { serverChecks } from './checks/server-checks.ts'
import { serviceChecks } from './checks/service-checks.ts'
import { triggerChecks } from './checks/trigger-checks.ts'
import { undeliveredChecks } from './checks/undelivered-checks.ts'
import { versionChecks } from './checks/version-checks.ts'
import { webhookChecks } from './checks/webhook-checks.ts'
import { modeOf } from './deployed-functions.ts'
import { type Diagnosis, type DoctorArea, type DoctorCheck, doctorAreas, someOf } from './diagnosis.ts'
import { type ReadName, seedReads } from './reads.ts'

const knativeChecks: readonly DoctorCheck[] = [
  ...brokerChecks,
  ...brokerClassChecks,
  ...undeliveredChecks,
  ...triggerChecks,
  ...serviceChecks,
]

const doctorChecks: readonly DoctorCheck[] = [
  ...serverChecks,
  ...definitionChecks,
  ...knativeChecks.map(check => ({ ...check, mode: 'knative' as const })),
  ...seedProcessChecks,
  ...rightChecks,
  ...webhookChecks,
  ...bridgeChecks,
  ...versionChecks,
  ...clockChecks,
  ...otherExtensionChecks,
  ...objectChecks,
  ...pauseChecks,
  ...secondaryChecks,
]

export interface AreaReport {
  readonly area: DoctorArea
  readonly diagnoses: readonly Diagnosis[]
}

/** Returns the results by area, without empty areas. */
export const runChecks = (
  given: CheckedSeed,
  allChecks: readonly DoctorCheck[] = doctorChecks,
): readonly AreaReport[] => {
  const mode = modeOf(given)
  const seed = mode === 'seed-process' ? withoutKnative(given) : given
  const checks = allChecks.filter(check => check.mode === undefined || check.mode === mode)
  const skipped = skippedChecks(seed, checks)
  return doctorAreas
    .map(area => {
      const own = checks.filter(check => check.area === area)
      const found = own.flatMap(check => skipped.get(check) ?? check.run(seed))
      return { area, diagnoses: distinct(found) }
    })
    .filter(({ diagnoses }) => diagnoses.length > 0)
}

const knativeReads = ['brokers', 'channels', 'triggers', 'services', 'sinkBindings'] as const

/** The seed process needs none of Knative's kinds: an API server without them has no objects of them. */
const withoutKnative = (seed: CheckedSeed): CheckedSeed => {
  const none = { kind: 'objects', objects: [], complete: true } as const
  const absentReads = knativeReads.filter(name => seed.reads[name].kind === absent)
  return { ...seed, reads: { ...seed.reads, ...Object.fromEntries(absentReads.map(name => [name, none])) } }
}

/** The same finding of several checks is reported once. */
const distinct = (all: readonly Diagnosis[]): readonly Diagnosis[] => [
  ...new Map(all.map(one => [`${one.state} ${one.text}`, one])).values(),
]

/**
 * Merges skipped checks with the same cause into one line, at the place of the first. Otherwise a single missing kind
 * would produce dozens of lines.
 */
const skippedChecks = (
  { reads }: Pick<CheckedSeed, 'reads'>,
  checks: readonly DoctorCheck[],
): ReadonlyMap<DoctorCheck, readonly Diagnosis[]> => {
  const missing = checks.flatMap(check => {
    // A read that failed explains more than a missing kind.
    const lacking = check.needs.filter(needed => !isWhole(reads[needed]))
    const name = lacking.find(needed => reads[needed].kind !== absent) ?? lacking[0]
    if (name === undefined) return []
    const needless = reads[name].kind === absent && isUndefined(name, reads)
    return [{ check, name, needless, cause: causeOf(name, reads[name]) }]
  })
  const said = new Map<DoctorCheck, readonly Diagnosis[]>()
  for (const group of Map.groupBy(missing, ({ cause, needless }) => `${needless} ${cause}`).values()) {
    const [first, ...others] = group
    if (first === undefined) continue
    const names = [...new Set(group.map(({ name }) => kindNameOf(name)))]
    const why = first.cause === absent ? `the API server has no ${someOf(names)}` : first.cause
    const areas = [...new Set(group.map(({ check }) => check.area))]
    const what = others.length === 0 ? first.check.about : `${group.length} checks (${areas.join(', ')})`
    said.set(first.check, [
      {
        state: 'skipped',
        text: `${what}: ${why}`,
        checks: group.length,
        ...(first.needless && { needless: true }),
      },
    ])
    for (const { check } of others) said.set(check, [])
  }
  return said
}

/** All absent kinds count as one cause. Usually Knative or Gardener is not installed at all. */
const absent = 'absent'

/** A list that ended early may lack the object that a check would find. */
const isWhole = (outcome: ReadOutcome): boolean => outcome.kind === 'objects' && outcome.complete

/** Returns true if the definitions prove that a kind does not exist; a starting server does not know it, either. */
const isUndefined = (name: ReadName, { definitions }: CheckedSeed['reads']): boolean =>
  definitions.kind === 'objects' &&
  definitions.complete &&
  !definitions.objects.some(({ metadata }) => metadata.name === kindNameOf(name))

const kindNameOf = (name: ReadName): string => {
  const { plural, group } = seedReads[name].resource
  return `${plural}${group === '' ? '' : `.${group}`}`
}

const causeOf = (name: ReadName, outcome: ReadOutcome): string => {
  switch (outcome.kind) {
    case 'objects':
      return `there are more ${kindNameOf(name)} than are read`
    case 'absent':
      return absent
    case 'forbidden':
      return `you may not ${permissionName('list', seedReads[name].resource)}`
    case 'failed':
      return outcome.why
  }
}

/** 0: all was checked and has no problem; 1: at least one problem; 2: no problem, and something was not checked. */
export const exitCodeOfReport = (report: readonly AreaReport[]): 0 | 1 | 2 => {
  const all = report.flatMap(({ diagnoses }) => diagnoses)
  if (all.some(({ state }) => state === 'problem')) return 1
  return all.some(({ state, needless }) => state === 'skipped' && !needless) ? 2 : 0
}
