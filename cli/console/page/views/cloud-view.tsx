import { useComputed } from '@preact/signals'
import { cloudMap, type MapBox } from '../../view/cloud-map.ts'
import type { PartProps } from '../parts/part-props.ts'
import { StateMark } from '../parts/state-mark.tsx'

/** The resources in the cloud, each inside of the one that contains it. */
export const CloudView = ({ state, controls }: PartProps) => {
  const boxes = useComputed(() => cloudMap(state.trees.value)).value
  return (
    <div class="cloud">
      {boxes.length === 0 && (
        <p class="empty">The objects of this shoot name no resources in a cloud at this moment.</p>
      )}
      {boxes.map(box => (
        <Box key={box.node || box.name} box={box} state={state} controls={controls} />
      ))}
    </div>
  )
}

const Box = ({ box, state, controls }: PartProps & { readonly box: MapBox }) => {
  const { node, type, name, inside } = box
  const title = (
    <>
      {node !== '' && <StateMark state={box.state} />}
      <span class="type">{type}</span> <span class="name">{name}</span>
    </>
  )
  return (
    <div class={`box ${type === 'zone' ? 'zone' : ''} ${inside.length === 0 ? 'leaf' : ''}`}>
      {node === '' ? (
        <span class="head">{title}</span>
      ) : (
        <button
          type="button"
          class="head"
          aria-current={state.node.value === node ? 'true' : undefined}
          onClick={() => controls.choose(node)}
        >
          {title}
        </button>
      )}
      {inside.length > 0 && (
        <div class="inside">
          {inside.map(one => (
            <Box key={one.node || one.name} box={one} state={state} controls={controls} />
          ))}
        </div>
      )}
    </div>
  )
}
