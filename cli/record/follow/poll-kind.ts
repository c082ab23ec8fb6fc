import { objectIdOf } from '../../../shared/journal/journal.ts'
import { KubernetesError } from '../../../shared/kubernetes/kubernetes.ts'
import { listAll } from '../../../shared/kubernetes/list-all.ts'
import { type FollowedKind, type FollowOptions, isIdOf } from './followed-kind.ts'

/** Lists the objects of a kind at an interval until the signal aborts. Consecutive failures become one gap. */
export const pollKind = async (
  followed: FollowedKind,
  { kubernetes, clock, recorder, isSelected, pollMs }: FollowOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { kind, resource, namespace, fieldSelector } = followed
  const query = {
    signal,
    ...(namespace !== undefined && { namespace }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  }
  let failing: { readonly at: number; readonly why: string } | undefined
  while (!signal.aborted) {
    // The reflector has just listed.
    await clock.sleep(pollMs, signal).catch(() => {})
    if (signal.aborted) return
    try {
      const present = new Set<string>()
      for (const object of await listAll(kubernetes, resource, query)) {
        const whole = { ...object, kind }
        present.add(objectIdOf({ kind, ...object.metadata }))
        if (isSelected(whole)) recorder.object(whole)
      }
      recorder.listed(present, isIdOf(followed))
      if (failing !== undefined) recorder.gap(failing.why, { at: failing.at, until: clock.now() })
      failing = undefined
    } catch (error) {
      if (signal.aborted || failing !== undefined) continue
      const reason = error instanceof KubernetesError ? ` (${error.status})` : ': no answer'
      failing = { at: clock.now(), why: `${resource.plural}: a list failed${reason}` }
      recorder.gap(failing.why, { at: failing.at })
    }
  }
}
