import { useSignal } from '@preact/signals'
import { messageOf } from '../../../../shared/text/message-of.ts'
import type { PartProps } from '../parts/part-props.ts'

/** The changes that a reconciliation or a deletion would make. */
export const PlanView = ({ state, controls }: PartProps) => {
  const result = useSignal<
    { readonly about: string; readonly text: string; readonly isError: boolean } | undefined
  >(undefined)
  const isBusy = useSignal(false)
  const overview = state.overview.value
  if (overview === undefined) return null
  const { noPlans } = overview
  if (noPlans !== undefined) return <p class="empty">No plans: {noPlans}</p>
  const candidates = state.trees.value
    .flatMap(({ children }) => children)
    .filter(({ kind }) => kind === 'extension')
  const chosen = candidates.find(({ id }) => id === state.node.value) ?? candidates[0]
  const ask = async (destroy: boolean) => {
    if (chosen === undefined) return
    isBusy.value = true
    const about = `${destroy ? 'Deletion' : 'Reconciliation'} of ${chosen.id}`
    try {
      result.value = { about, text: await controls.plan(chosen.id, destroy), isError: false }
    } catch (error) {
      result.value = { about, text: messageOf(error), isError: true }
    } finally {
      isBusy.value = false
    }
  }
  return (
    <div class="plan">
      <p>
        <label>
          Object{' '}
          <select value={chosen?.id ?? ''} onChange={event => controls.choose(event.currentTarget.value)}>
            {candidates.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </select>
        </label>{' '}
        <button type="button" disabled={isBusy.value || chosen === undefined} onClick={() => ask(false)}>
          Plan a reconciliation
        </button>{' '}
        <button type="button" disabled={isBusy.value || chosen === undefined} onClick={() => ask(true)}>
          Plan the deletion
        </button>
      </p>
      <p class="dim">A plan reads the live object, its Secret and the cloud, and changes nothing.</p>
      <div aria-live="polite">
        {isBusy.value && <p>Reading the cloud…</p>}
        {result.value !== undefined && (
          <>
            <h3>{result.value.about}</h3>
            <pre class={`diff ${result.value.isError ? 'error' : ''}`}>
              {result.value.text.split('\n').map((line, index) => (
                <span key={index} class={kindOf(line)}>{`${line}\n`}</span>
              ))}
            </pre>
          </>
        )}
      </div>
    </div>
  )
}

const kindOf = (line: string): string => {
  const [sign = ''] = line.trimStart()
  return sign === '+' ? 'added' : sign === '-' ? 'removed' : sign === '~' ? 'changed' : 'same'
}
