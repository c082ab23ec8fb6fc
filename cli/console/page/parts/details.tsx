import type { Call } from '../../../../shared/journal/journal.ts'
import type { StepBar } from '../../model/history.ts'
import { clockText, durationText, momentText, nextText } from '../../view/durations.ts'
import type { PartProps } from './part-props.ts'
import { StateMark } from './state-mark.tsx'

/** Steps before the moment that the panel lists. */
const mostSteps = 30

/** The panel for the chosen node: why, what next, its steps and their calls. */
export const Details = ({ state, controls }: PartProps) => {
  const id = state.node.value
  if (id === undefined) return null
  const node = state.chosenNode.value
  const now = state.moment.value
  const steps = (state.happened.value.steps.get(id) ?? []).filter(({ at }) => at <= now)
  return (
    <aside class="details" aria-label="Details">
      <header>
        <h3>
          {node !== undefined && <StateMark state={node.state} />}
          {node?.title ?? id}
        </h3>
        <button
          type="button"
          class="plain"
          aria-label="Close details"
          onClick={() => controls.choose(undefined)}
        >
          ✕
        </button>
      </header>
      <dl>
        {node?.detail !== undefined && <Fact name="state">{node.detail}</Fact>}
        {node?.since !== undefined && (
          <Fact name="since">
            {momentText(node.since)} ({durationText(now - node.since)})
          </Fact>
        )}
        {node?.why !== undefined && <Fact name="waits for">{node.why}</Fact>}
        {node?.next !== undefined && (
          <Fact name="next">
            {nextText(node.next, now)}
            {node.next.at !== undefined && node.next.at > now && `, ${clockText(node.next.at)}`}
          </Fact>
        )}
        {node?.error !== undefined && (
          <Fact name="error">
            <span class="error">{node.error.text}</span> {node.error.codes.join(' ')}
          </Fact>
        )}
        {node?.error?.fix !== undefined && <Fact name="fix">{node.error.fix}</Fact>}
        <Fact name="id">
          <code>{id}</code>
        </Fact>
      </dl>
      {steps.length > 0 && <h4>Steps, the latest first</h4>}
      {steps
        .slice(-mostSteps)
        .reverse()
        .map(step => (
          <Step key={step.n} step={step} isOpen={step === state.step.value} now={now} onGo={controls.goTo} />
        ))}
      {steps.length > mostSteps && <p class="dim">{steps.length - mostSteps} earlier steps</p>}
    </aside>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

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
