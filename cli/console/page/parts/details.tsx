import { useComputed } from '@preact/signals'
import type { TreeNode } from '../../../observe/observe.ts'
import { clockText, durationText, momentText, nextText } from '../../view/durations.ts'
import { type TabName, tabNames } from '../../view/link.ts'
import { Actions } from './actions.tsx'
import { Command } from './copy.tsx'
import { EventsTab } from './events-tab.tsx'
import { ManifestTab } from './manifest-tab.tsx'
import type { PartProps } from './part-props.ts'
import { StateMark } from './state-mark.tsx'
import { StepsTab } from './steps-tab.tsx'

/** The panel for the chosen node: why, what next, its manifest, Events and steps. */
export const Details = ({ state, controls }: PartProps) => {
  const id = state.node.value
  if (id === undefined) return null
  const node = state.chosenNode.value
  const now = state.moment.value
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
        {node !== undefined && state.view.value !== 'tree' && <Reasons node={node} now={now} />}
        <Fact name="id">
          <code>{id}</code>
        </Fact>
      </dl>
      {node?.kind === 'extension' && (
        <Actions state={state} controls={controls} target={id.replace(' ', '/')} ids={[id]} />
      )}
      <Tabs state={state} controls={controls} id={id} />
    </aside>
  )
}

/** Why, what next and what to do: the tree shows it in the open. */
const Reasons = ({ node, now }: { readonly node: TreeNode; readonly now: number }) => (
  <>
    {node.why !== undefined && <Fact name="waits for">{node.why}</Fact>}
    {node.next !== undefined && (
      <Fact name="next">
        {nextText(node.next, now)}
        {node.next.at !== undefined && node.next.at > now && `, ${clockText(node.next.at)}`}
      </Fact>
    )}
    {node.error !== undefined && (
      <Fact name="error">
        <span class="error">{node.error.text}</span> {node.error.codes.join(' ')}
      </Fact>
    )}
    {node.error?.fix !== undefined && <Fact name="fix">{node.error.fix}</Fact>}
    {node.run !== undefined && (
      <Fact name="run">
        <Command text={node.run} />
      </Fact>
    )}
  </>
)

const Fact = ({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

const titles: Readonly<Record<TabName, string>> = { manifest: 'Manifest', events: 'Events', steps: 'Steps' }

const Tabs = ({ state, controls, id }: PartProps & { readonly id: string }) => {
  const now = state.moment.value
  const versions = useComputed(() =>
    Map.groupBy(state.history.value?.objects ?? [], object => object.id),
  ).value.get(id)
  const steps = (state.happened.value.steps.get(id) ?? []).filter(({ at }) => at <= now)
  // A resource in the cloud is no object.
  const names = tabNames.filter(name => (name === 'steps' ? (versions ?? steps).length > 0 : versions))
  const chosen = names.find(name => name === state.tab.value) ?? names.at(-1)
  if (chosen === undefined) return null
  return (
    <>
      <div class="tabs" role="tablist" aria-label="Parts of the object">
        {names.map(name => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={chosen === name}
            aria-controls="detail"
            onClick={() => {
              state.tab.value = name
            }}
          >
            {titles[name]}
            {name === 'steps' && steps.length > 0 && <span class="dim"> {steps.length}</span>}
          </button>
        ))}
      </div>
      <div id="detail" role="tabpanel" aria-labelledby={`tab-${chosen}`}>
        {chosen === 'manifest' && <ManifestTab versions={versions ?? []} now={now} />}
        {chosen === 'events' && <EventsTab state={state} controls={controls} id={id} />}
        {chosen === 'steps' && <StepsTab state={state} controls={controls} steps={steps} />}
      </div>
    </>
  )
}
