import type { TreeNode } from '../../../observe/observe.ts'
import { durationText, nextText } from '../../view/durations.ts'
import { isOverdue } from '../../view/is-overdue.ts'
import { visibleRows } from '../../view/visible-rows.ts'
import { Command } from '../parts/copy.tsx'
import type { PartProps } from '../parts/part-props.ts'
import { StateMark } from '../parts/state-mark.tsx'

/** The tree of the shoot in Gardener's order, with every reason in the open. */
export const TreeView = ({ state, controls }: PartProps) => {
  const rows = visibleRows(state.trees.value, state.toggled.value)
  const chosen = state.node.value
  const focused = rows.some(({ node }) => node.id === chosen) ? chosen : rows[0]?.node.id
  const toggle = (id: string) => {
    const next = new Set(state.toggled.peek())
    if (!next.delete(id)) next.add(id)
    state.toggled.value = next
  }
  return (
    <div class="tree" role="tree" aria-label="Objects of the shoot">
      {rows.map(({ node, depth, isOpen }) => (
        <div
          key={node.id}
          role="treeitem"
          aria-level={depth + 1}
          aria-selected={node.id === chosen}
          {...(isOpen !== undefined && { 'aria-expanded': isOpen })}
          tabIndex={node.id === focused ? 0 : -1}
          class={`node ${node.state} ${isOverdue(node, state.moment.value) ? 'overdue' : ''}`}
          data-id={node.id}
          style={{ paddingLeft: `${depth * 20 + 8}px` }}
          onClick={() => controls.choose(node.id)}
          onKeyDown={event => {
            if (event.key !== 'Enter' && event.key !== ' ') return
            event.preventDefault()
            controls.choose(node.id)
          }}
          onDblClick={() => toggle(node.id)}
        >
          <span
            class={`twist ${isOpen === undefined ? 'leaf' : isOpen ? 'open' : ''}`}
            aria-hidden="true"
            onClick={event => {
              event.stopPropagation()
              toggle(node.id)
            }}
          />
          <StateMark state={node.state} />
          <NodeText node={node} now={state.moment.value} />
        </div>
      ))}
    </div>
  )
}

const NodeText = ({ node, now }: { readonly node: TreeNode; readonly now: number }) => {
  const { title, detail, since, why, next, error, run } = node
  return (
    <span class="text">
      <span class="line">
        <span class="title">{title}</span>
        {detail !== undefined && <span class="detail">{detail}</span>}
        {since !== undefined && <span class="age">{durationText(now - since)}</span>}
      </span>
      {why !== undefined && <span class="why">{why}</span>}
      {next !== undefined && <span class="next">→ {nextText(next, now)}</span>}
      {error !== undefined && (
        <span class="error">
          {error.text}
          {error.codes.length > 0 && <span class="codes"> {error.codes.join(' ')}</span>}
          {error.since !== undefined && (
            <span class="dim"> failing for {durationText(now - error.since)}</span>
          )}
          {error.fix !== undefined && <span class="fix">Fix: {error.fix}</span>}
        </span>
      )}
      {run !== undefined && <Command text={run} />}
    </span>
  )
}
