import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { ActionName } from '../../../act/decide-action.ts'
import type { ShownAction } from '../../model/history.ts'
import { Dialog } from './overlays.tsx'
import type { PartProps } from './part-props.ts'

/** The buttons of a shoot or an object: those that the kubeconfig allows. */
export const Actions = ({
  state,
  controls,
  target,
  ids,
}: PartProps & {
  /** As in `trellis retry`: a shoot, or `KIND/NAMESPACE/NAME`. */
  readonly target: string
  /** The objects that an action may write to. */
  readonly ids: readonly string[]
}) => {
  const allowed = useSignal<readonly ActionName[]>([])
  // An action is about the present.
  const isOn = state.overview.value?.hasActions && controls.canAct && state.at.value === undefined
  const asked = ids.join()
  useEffect(() => {
    let isCurrent = true
    allowed.value = []
    if (isOn)
      controls.allowed(ids).then(
        found => {
          if (isCurrent) allowed.value = found
        },
        // Without an answer, there are no buttons.
        () => {},
      )
    return () => {
      isCurrent = false
    }
  }, [isOn, asked])
  if (allowed.value.length === 0) return null
  return (
    <p class="actions">
      {allowed.value.map(action => (
        <button
          key={action}
          type="button"
          onClick={() => {
            state.action.value = { action, target }
            state.isActionOpen.value = true
          }}
        >
          {titles[action]}
        </button>
      ))}
    </p>
  )
}

const titles: Readonly<Record<ActionName, string>> = {
  retry: 'Retry…',
  reconcile: 'Reconcile…',
  pause: 'Pause…',
  resume: 'Resume…',
}

/** Shows what an action will do, asks, and shows the result. */
export const ActionDialog = ({ state, controls }: PartProps) => {
  const chosen = state.action.value
  return (
    <Dialog
      isOpen={state.isActionOpen}
      label={chosen ? `trellis ${chosen.action} ${chosen.target}` : 'Action'}
    >
      {chosen !== undefined && <Question key={chosen} state={state} controls={controls} chosen={chosen} />}
    </Dialog>
  )
}

/** How long a pause may last. Longer ones: `trellis pause`. */
const durations = ['1h', '4h', '24h', '3d']

const Question = ({
  state,
  controls,
  chosen: { action, target },
}: PartProps & { readonly chosen: { readonly action: ActionName; readonly target: string } }) => {
  const until = useSignal('4h')
  const reason = useSignal('')
  const shown = useSignal<ShownAction | string | undefined>(undefined)
  const result = useSignal<readonly string[] | undefined>(undefined)
  const isWriting = useSignal(false)
  useEffect(() => {
    let isCurrent = true
    shown.value = undefined
    const show = (found: ShownAction | string) => {
      if (isCurrent) shown.value = found
    }
    controls
      .prepare({ action, target, reason: reason.value, ...(action === 'pause' && { until: until.value }) })
      .then(show, error => show(messageOf(error)))
    return () => {
      isCurrent = false
    }
  }, [until.value, reason.value])
  const found = shown.value
  const write = async (id: string) => {
    isWriting.value = true
    result.value = await controls.write(id).then(
      ({ lines }) => lines,
      error => [`✗ ${messageOf(error)}`],
    )
  }
  if (result.value !== undefined)
    return (
      <div role="status">
        <pre class="result">{result.value.join('\n')}</pre>
      </div>
    )
  return (
    <>
      {action === 'pause' && (
        <p>
          <label>
            For{' '}
            <select
              value={until.value}
              onChange={event => {
                until.value = event.currentTarget.value
              }}
            >
              {durations.map(one => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        </p>
      )}
      <p>
        <label>
          Why, for the Event and for those who read it{' '}
          <input
            class="reason"
            maxLength={200}
            onChange={event => {
              reason.value = event.currentTarget.value
            }}
          />
        </label>
      </p>
      <div aria-live="polite">
        {found === undefined && <p class="dim">Reading the objects…</p>}
        {typeof found === 'string' && <p class="error">{found}</p>}
        {typeof found === 'object' && <pre class="result">{found.lines.join('\n')}</pre>}
        {typeof found === 'object' && found.writes === 0 && <p>Nothing to {action}.</p>}
      </div>
      <p class="actions">
        {typeof found === 'object' && found.writes > 0 && (
          <button type="button" class="on" disabled={isWriting.value} onClick={() => write(found.id)}>
            Write {found.writes === 1 ? 'this' : `these ${found.writes}`}, as {found.user}
          </button>
        )}
        <button
          type="button"
          onClick={() => {
            state.isActionOpen.value = false
          }}
        >
          Cancel
        </button>
      </p>
    </>
  )
}
