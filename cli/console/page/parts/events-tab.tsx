import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { ListedEvent } from '../../model/history.ts'
import { clockText, durationText, momentText } from '../../view/durations.ts'
import type { PartProps } from './part-props.ts'

/** Events of Kubernetes about an object, read when the tab is open, and events that the bridge sent. */
export const EventsTab = ({ state, controls, id }: PartProps & { readonly id: string }) => {
  const now = state.moment.value
  const sent = (state.happened.value.events.get(id) ?? []).filter(({ at }) => at <= now).toReversed()
  const noEvents = state.overview.value?.noEvents
  return (
    <>
      {noEvents === undefined ? (
        <LiveEvents key={id} state={state} controls={controls} id={id} />
      ) : (
        <p class="dim">No Events of Kubernetes: {noEvents}.</p>
      )}
      {sent.length > 0 && (
        <>
          <h4>Sent by the bridge, the latest first</h4>
          <ul class="events">
            {sent.slice(0, mostSent).map(({ id: event, at, operation, reason }) => (
              <li key={event}>
                {operation} <span class="dim">{reason === undefined ? '' : `because of ${reason}, `}</span>
                <span class="dim" title={momentText(at)}>
                  {durationText(now - at)} ago, {clockText(at)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const mostSent = 50

const LiveEvents = ({ state, controls, id }: PartProps & { readonly id: string }) => {
  const events = useSignal<readonly ListedEvent[] | string | undefined>(undefined)
  // A change of the object often has an Event.
  const changes = state.history.value?.objects.filter(one => one.id === id).length
  useEffect(() => {
    let isCurrent = true
    controls.events(id).then(
      found => {
        if (isCurrent) events.value = found
      },
      error => {
        if (isCurrent) events.value = messageOf(error)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [id, changes])
  const found = events.value
  if (found === undefined)
    return (
      <p class="dim" role="status">
        Reading the Events…
      </p>
    )
  if (typeof found === 'string') return <p class="error">{found}</p>
  if (found.length === 0)
    return <p class="dim">The object has no Events. The API server deletes them after an hour.</p>
  return (
    <ul class="events">
      {found.map(({ isWarning, reason, message, by, count, first, last }, index) => (
        <li key={index} class={isWarning ? 'warning' : ''}>
          <strong>{reason}</strong>{' '}
          <span class="dim" title={momentText(last)}>
            {durationText(state.now.value - last)} ago
            {count > 1 && `, ${count} times in ${durationText(last - first)}`}
            {by !== '' && `, ${by}`}
          </span>
          <p>{message}</p>
        </li>
      ))}
    </ul>
  )
}
