import type { TreeNode } from '../../../observe/observe.ts'
import { durationText, nextText } from '../../view/durations.ts'
import { urgentNode } from '../../view/urgent-node.ts'
import { Actions } from './actions.tsx'
import type { PartProps } from './part-props.ts'
import { StateMark } from './state-mark.tsx'

/** The answer in one line: the state of the shoot, why, and what comes next. */
export const ShootHead = ({ state, controls }: PartProps) => {
  const shoot = state.shoot.value
  if (shoot === undefined) return null
  const known = state.allShoots.value.find(({ id }) => id === shoot)
  const [root] = state.trees.value
  const urgent = urgentNode(state.trees.value)
  return (
    <div class="head">
      <h2>
        {root !== undefined && <StateMark state={root.state} label />}
        <span>{shoot === '' ? 'Seed' : (known?.garden ?? shoot)}</span>
        {known?.garden !== undefined && <span class="dim">{shoot}</span>}
      </h2>
      {urgent !== undefined && <Urgent node={urgent} now={state.moment.value} onChoose={controls.choose} />}
      {root !== undefined && shoot !== '' && (
        <Actions
          state={state}
          controls={controls}
          target={shoot}
          ids={[
            `Cluster ${shoot}`,
            ...root.children.flatMap(({ id, kind }) => (kind === 'extension' ? [id] : [])),
          ]}
        />
      )}
      {root === undefined && state.history.value !== undefined && (
        <p class="dim">The shoot does not exist at this moment.</p>
      )}
    </div>
  )
}

const Urgent = ({
  node: { id, title, why, error, next, since },
  now,
  onChoose,
}: {
  readonly node: TreeNode
  readonly now: number
  readonly onChoose: (id: string) => void
}) => (
  <p class="urgent">
    <button type="button" class="link" onClick={() => onChoose(id)}>
      {title}
    </button>
    {since !== undefined && <span class="dim"> for {durationText(now - since)}</span>}
    {error === undefined ? why !== undefined && <span>: {why}</span> : <span>: {firstLine(error.text)}</span>}
    {next !== undefined && <span class="next"> → {nextText(next, now)}</span>}
  </p>
)

const firstLine = (text: string): string => {
  const [line = ''] = text.split('\n')
  return line.length > 220 ? `${line.slice(0, 220)}…` : line
}
