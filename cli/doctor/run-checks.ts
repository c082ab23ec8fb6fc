import { permissionName } from '../../shared/kubernetes/kubernetes.ts'
import type { CheckedSeed, ReadOutcome } from './checked-seed.ts'
import { bridgeChecks } from './checks/bridge-checks.ts'
import { brokerChecks } from './checks/broker-checks.ts'
import { brokerClassChecks } from './checks/broker-class-checks.ts'
import { clockChecks } from './checks/clock-checks.ts'
import { definitionChecks } from './checks/definition-checks.ts'
import { objectChecks } from './checks/object-checks.ts'
import { otherExtensionChecks } from './checks/other-extension-checks.ts'
import { rightChecks } from './checks/right-checks.ts'
import { serverChecks } from './checks/server-checks.ts'
import { serviceChecks } from './checks/service-checks.ts'
import { triggerChecks } from './checks/trigger-checks.ts'
import { webhookChecks } from './checks/webhook-checks.ts'
import { type Diagnosis, type DoctorArea, type DoctorCheck, doctorAreas } from './diagnosis.ts'
import { type SeedRead, seedReads } from './reads.ts'

/** Everything that is looked at. */
const doctorChecks: readonly DoctorCheck[] = [
  ...serverChecks,
  ...definitionChecks,
  ...brokerChecks,
  ...brokerClassChecks,
  ...triggerChecks,
  ...serviceChecks,
  ...rightChecks,
  ...webhookChecks,
  ...bridgeChecks,
  ...clockChecks,
  ...otherExtensionChecks,
  ...objectChecks,
]

export interface AreaReport {
  readonly area: DoctorArea
  readonly diagnoses: readonly Diagnosis[]
}

/** What was found out, by area; areas without anything to say are left out. */
export const runChecks = (
  seed: CheckedSeed,
  checks: readonly DoctorCheck[] = doctorChecks,
): readonly AreaReport[] =>
  doctorAreas
    .map(area => ({
      area,
      diagnoses: distinct(
        checks.filter(check => check.area === area).flatMap(check => runCheck(check, seed)),
      ),
    }))
    .filter(({ diagnoses }) => diagnoses.length > 0)

/** What several checks found alike is said once. */
const distinct = (all: readonly Diagnosis[]): readonly Diagnosis[] => [
  ...new Map(all.map(one => [`${one.state} ${one.text}`, one])).values(),
]

const runCheck = (check: DoctorCheck, seed: CheckedSeed): readonly Diagnosis[] => {
  const [missing] = check.needs
    .map(name => whyNotRead(seedReads[name], seed.reads[name]))
    .filter(why => why !== undefined)
  return missing === undefined ? check.run(seed) : [{ state: 'skipped', text: `${check.about}: ${missing}` }]
}

const whyNotRead = ({ resource }: SeedRead, outcome: ReadOutcome): string | undefined => {
  switch (outcome.kind) {
    case 'objects':
      return undefined
    case 'absent':
      return `the API server has no ${resource.plural}${resource.group === '' ? '' : `.${resource.group}`}`
    case 'forbidden':
      return `you may not ${permissionName('list', resource)}`
    case 'failed':
      return outcome.why
  }
}

/** 0: all is well, or as far as it could be seen; 1: something has to be done. */
export const exitCodeOfReport = (report: readonly AreaReport[]): 0 | 1 =>
  report.some(({ diagnoses }) => diagnoses.some(({ state }) => state === 'problem')) ? 1 : 0
