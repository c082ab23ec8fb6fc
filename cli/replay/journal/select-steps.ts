import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { parseEntryName } from '../../../shared/backup-entry/backup-entry.ts'
import { kindCalled } from '../../../shared/contract/kinds.ts'
import { partsOfObjectId } from '../../../shared/journal/journal.ts'
import type { RecordedStep } from './recorded-step.ts'

/** The flags that select steps of a journal. */
export interface StepSelection {
  /** The id of a step, or the beginning of an event's id. */
  readonly step?: string
  /** RFC 3339. Selects the last of the selected steps that began until then. */
  readonly at?: string
  readonly shoot?: string
  /** `KIND/NAME` or `KIND/NAMESPACE/NAME`. */
  readonly object?: string
  readonly failed?: boolean
}

/** Returns true if at least one flag selects. */
export const isSelection = ({ step, at, shoot, object, failed }: StepSelection): boolean =>
  [step, at, shoot, object].some(flag => flag !== undefined) || failed === true

/** Returns the steps that all flags select. Throws a `UsageError` if there are none, or a flag is wrong. */
export const selectSteps = (
  steps: readonly RecordedStep[],
  { step, at, shoot, object, failed }: StepSelection,
  file: string,
): readonly RecordedStep[] => {
  const isOfObject = object === undefined ? () => true : objectFilter(object)
  const selected = steps.filter(
    one =>
      (step === undefined || one.id === step || (step.length >= 4 && one.eventId.startsWith(step))) &&
      (shoot === undefined || isOfShoot(one.object, shoot)) &&
      isOfObject(one.object) &&
      (!failed || one.outcome.how === 'failed'),
  )
  const chosen = at === undefined ? selected : selected.filter(one => one.at <= timeOf(at)).slice(-1)
  if (chosen.length > 0) return chosen
  throw new UsageError(
    `${file}: no step is selected. trellis replay ${file} --list shows all ${steps.length}`,
  )
}

const timeOf = (text: string): number => {
  const time = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new UsageError(`--at: expected a time such as 2026-11-28T04:03:11Z`)
  return time
}

const isOfShoot = (id: string, shoot: string): boolean => {
  const { kind, namespace, name = '' } = partsOfObjectId(id) ?? {}
  const technicalId = kind === 'BackupEntry' ? parseEntryName(name).technicalId : namespace
  return technicalId === shoot || technicalId?.endsWith(`--${shoot.replace('/', '--')}`) === true
}

const objectFilter = (text: string): ((id: string) => boolean) => {
  const [called = '', ...rest] = text.split('/')
  const kind = kindCalled(called)
  if (kind === undefined || rest.length < 1 || rest.length > 2)
    throw new UsageError('--object: expected KIND/NAME or KIND/NAMESPACE/NAME, such as dns/rose-external')
  const [name, namespace] = rest.toReversed()
  return id => {
    const parts = partsOfObjectId(id)
    return (
      parts?.kind === kind &&
      parts.name === name &&
      (namespace === undefined || parts.namespace === namespace)
    )
  }
}
