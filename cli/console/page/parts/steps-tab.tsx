import type { Call } from '../../../../shared/journal/journal.ts'
import type { StepBar } from '../../model/history.ts'
import { clockText, durationText } from '../../view/durations.ts'
import { stepRuns } from '../../view/fold-steps.ts'
import type { PartProps } from './part-props.ts'

/** Steps before the moment that the panel lists. */
const mostSteps = 30

/** The steps of an object and their calls, the latest first. Equal failures in a row are folded. */
export const StepsTab = ({ state, controls, steps }: PartProps & { readonly steps: readonly StepBar[] }) => {
  const now = state.moment.value
  const chosen = state.step.value
  const shown = (step: StepBar) => (
    <Step key={step.n} step={step} isOpen={step === chosen} now={now} onGo={controls.goTo} />
  )
  return (
    <>
      {steps.length === 0 && <p class="dim">No step of this object was recorded before this moment.</p>}
      {stepRuns(steps.slice(-mostSteps).toReversed()).map(run => {
        const [latest] = run
        if (latest === undefined) return null
        if (run.length === 1) return shown(latest)
        return (
          <details key={latest.n} class="run" open={chosen !== undefined && run.includes(chosen)}>
            <summary>
              {run.length} steps, same error{' '}
              <span class="dim">
                {clockText(run.at(-1)?.at ?? latest.at)} to {clockText(latest.at)}
              </span>
              <span class="error">{errorOf(latest)}</span>
            </summary>
            {run.map(shown)}
          </details>
        )
      })}
      {steps.length > mostSteps && <p class="dim">{steps.length - mostSteps} earlier steps</p>}
    </>
  )
}

const errorOf = ({ reason, calls }: StepBar): string => {
  const failed = calls.findLast(({ error }) => error !== undefined)
  return reason ?? (failed === undefined ? '' : `${failed.name}: ${failed.error}`)
}

const Step = ({
  step,
  isOpen,
  now,
  onGo,
}: {
  readonly step: StepBar
  readonly isOpen: boolean
  readonly now: number
  readonly onGo: (time: number) => void
}) => {
  const failed = step.calls.filter(({ error }) => error !== undefined).length
  return (
    <details class={`step ${step.outcome}`} open={isOpen}>
      <summary>
        <span class="when">{clockText(step.at)}</span> {step.operation}{' '}
        <strong class="outcome">{step.outcome}</strong>
        <span class="dim">
          {' '}
          {durationText(step.ms)}, {durationText(now - step.at)} ago
        </span>
        {failed > 0 && <span class="failures"> {failed === 1 ? '1 call' : `${failed} calls`} failed</span>}
      </summary>
      {step.reason !== undefined && <p class="error">{step.reason}</p>}
      <p class="dim">
        {step.function}, event <code>{step.event}</code>{' '}
        <button type="button" class="link" onClick={() => onGo(step.at + step.ms)}>
          go there
        </button>
      </p>
      {step.calls.length > 0 && <Calls calls={step.calls} />}
      {step.lost !== undefined && <p class="dim">{step.lost} more calls were not recorded</p>}
    </details>
  )
}

const Calls = ({ calls }: { readonly calls: readonly Call[] }) => (
  <table class="calls">
    <thead>
      <tr>
        <th>call</th>
        <th>after</th>
        <th>took</th>
        <th>answer</th>
      </tr>
    </thead>
    <tbody>
      {calls.map((call, index) => (
        <tr key={index} class={call.error === undefined ? '' : 'failed'}>
          <td>
            {call.name} <span class="dim">{call.target}</span>
            {call.args !== undefined && <code class="args">{call.args}</code>}
            {call.requestId !== undefined && <code class="args">request {call.requestId}</code>}
          </td>
          <td>{durationText(call.after)}</td>
          <td>{durationText(call.ms)}</td>
          <td>{call.error ?? call.status}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
