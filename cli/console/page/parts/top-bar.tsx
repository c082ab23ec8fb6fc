import { viewNames } from '../../view/link.ts'
import type { PartProps } from './part-props.ts'

const liveText = (unlisted: readonly string[] = []): string =>
  unlisted.length === 0 ? 'live' : `live; not read yet: ${unlisted.join(', ')}`

export const TopBar = ({ state, controls }: PartProps) => {
  const overview = state.overview.value
  const isConnected = state.isConnected.value
  return (
    <header class="top">
      <h1>
        <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
          <path d="M2 2l12 12M2 8l6 6M8 2l6 6M14 2 2 14M8 2 2 8M14 8l-6 6" />
        </svg>
        Trellis
      </h1>
      {overview !== undefined && (
        <>
          {overview.seed !== undefined && <span class="seed">seed {overview.seed}</span>}
          <span
            class={`source ${overview.live ? (isConnected ? 'live' : 'lost') : 'recorded'}`}
            role="status"
          >
            {overview.live
              ? isConnected
                ? liveText(overview.unlisted)
                : 'connection lost; trying again'
              : overview.by}
          </span>
        </>
      )}
      <span class="stretch" />
      <button
        type="button"
        class="plain"
        onClick={() => {
          state.isSearchOpen.value = true
        }}
      >
        Search calls <kbd>s</kbd>
      </button>
      <button
        type="button"
        class="plain"
        aria-label={`Change to the ${state.theme.value === 'dark' ? 'light' : 'dark'} theme`}
        onClick={controls.toggleTheme}
      >
        {state.theme.value === 'dark' ? '☾' : '☀'}
      </button>
      <button
        type="button"
        class="plain"
        aria-label="Keyboard shortcuts"
        onClick={() => {
          state.isHelpOpen.value = true
        }}
      >
        ?
      </button>
    </header>
  )
}

const titles: Readonly<Record<(typeof viewNames)[number], string>> = {
  tree: 'Tree',
  timeline: 'Timeline',
  changes: 'Changes',
  cloud: 'Cloud',
  plan: 'Plan',
}

export const ViewTabs = ({ state, controls }: PartProps) => (
  <div class="tabs" role="tablist" aria-label="Views">
    {viewNames.map((name, index) => (
      <button
        key={name}
        type="button"
        role="tab"
        id={`tab-${name}`}
        aria-selected={state.view.value === name}
        aria-controls="view"
        title={`${titles[name]} (${index + 1})`}
        onClick={() => controls.show(name)}
      >
        {titles[name]}
      </button>
    ))}
  </div>
)
