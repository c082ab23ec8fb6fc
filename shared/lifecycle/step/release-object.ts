import { StepExpiredError } from '../../contract/errors.ts'
import { errorDescription, failed, type OperationTexts } from '../../contract/status.ts'
import { recordOf } from '../../decode/record-of.ts'
import { idOf, type KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Orphans, StepContext } from '../actuator.ts'
import type { StepDeps } from '../backend.ts'
import { longestForcedMs, orphansText, reportsOrphans } from '../decide/forced-deletion.ts'
import { type Branch, type KindHooks, unreported } from './kind-hooks.ts'
import type { ObjectWriter } from './object-writer.ts'
import { orphansOf, reportOrphans } from './orphans.ts'

interface ObjectRelease {
  readonly deps: StepDeps
  readonly branch: Branch
  readonly context: Pick<StepContext, 'cluster'>
  readonly writer: ObjectWriter
  readonly hooks: Pick<KindHooks, 'dropOwnFinalizer'>
  readonly texts: Pick<OperationTexts, 'errorPrefix'>
}

/**
 * Ends a forced deletion whose time is over: status, log and Event name what may remain, and the object loses its
 * finalizer. Only the finalizer must succeed.
 */
export const releaseObject = async (release: ObjectRelease): Promise<'released'> => {
  const { deps, context, writer, hooks } = release
  const object = writer.current()
  const reported = lastReport(object)
  const orphans: Orphans = {
    things: orphansOf(deps.backend, { object, cluster: context.cluster }),
    why: `it did not end within ${longestForcedMs / 1_000} s, and reported: ${reported}`,
  }
  // An earlier step could not remove the finalizer.
  if (!reportsOrphans(reported)) await writeStatus(release, orphans)
  await reportOrphans(deps, object, orphans)
  await unreported(hooks.dropOwnFinalizer())
  return 'released'
}

const writeStatus = async (
  { deps, branch, writer, texts }: ObjectRelease,
  orphans: Orphans,
): Promise<void> => {
  const { backend, clock, log } = deps
  const { metadata } = writer.current()
  const description = errorDescription(texts.errorPrefix, orphansText(orphans, 'status'))
  try {
    // Without a code: gardenlet must not fail the Shoot because of an object that is about to be gone.
    const status = failed(branch.type, description, [], clock.now(), metadata.generation ?? 0)
    await writer.status({ ...status })
  } catch (error) {
    if (error instanceof StepExpiredError) throw error
    log.error('cannot write error status', {
      kind: backend.kind,
      object: idOf(metadata),
      operation: branch.operation,
      error: messageOf(error),
    })
  }
}

/** Returns the text of the last attempt, or that of the wait that it was in. */
const lastReport = ({ status }: KubernetesObject): string => {
  const { lastOperation, lastError } = recordOf(status)
  const { state, description } = recordOf(lastOperation)
  const text = state === 'Error' ? (recordOf(lastError).description ?? description) : description
  return typeof text === 'string' && text !== '' ? text : 'nothing'
}
