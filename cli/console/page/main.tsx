import { effect } from '@preact/signals'
import { render } from 'preact'
import { linkText } from '../view/link.ts'
import { createControls } from './controls.ts'
import { embeddedData, isEmbedded } from './data/embedded-data.ts'
import { pageKey } from './data/page-key.ts'
import { servedData } from './data/served-data.ts'
import { ActionDialog } from './parts/actions.tsx'
import { Details } from './parts/details.tsx'
import { Help, Search } from './parts/overlays.tsx'
import { Scrubber } from './parts/scrubber.tsx'
import { ShootHead } from './parts/shoot-head.tsx'
import { ShootList } from './parts/shoot-list.tsx'
import { TopBar, ViewTabs } from './parts/top-bar.tsx'
import { listenForShortcuts } from './shortcuts.ts'
import { createState } from './state.ts'
import { ChangesView } from './views/changes-view.tsx'
import { CloudView } from './views/cloud-view.tsx'
import { PlanView } from './views/plan-view.tsx'
import { TimelineView } from './views/timeline-view.tsx'
import { TreeView } from './views/tree-view.tsx'

const views = {
  tree: TreeView,
  timeline: TimelineView,
  changes: ChangesView,
  cloud: CloudView,
  plan: PlanView,
} as const

const state = createState(location.search, matchMedia('(prefers-color-scheme: light)').matches)
const controls = createControls(state, isEmbedded() ? embeddedData() : servedData(pageKey()))

const View = () => {
  const Chosen = views[state.view.value]
  return <Chosen state={state} controls={controls} />
}

const Problem = () =>
  state.problem.value === undefined ? null : (
    <p class="problem" role="alert">
      {state.problem.value}{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          state.problem.value = undefined
        }}
      >
        close
      </button>
    </p>
  )

/** True while the chosen shoot is read: the history of another one must not stand below its name. */
const isLoading = () => state.problem.value === undefined && state.history.value?.shoot !== state.shoot.value

const Waiting = () => (
  <div class="loading" role="status">
    <p>Reading {state.shoot.value ?? 'the journal'}…</p>
    <div class="bones" aria-hidden="true" />
  </div>
)

const App = () => (
  <>
    <TopBar state={state} controls={controls} />
    <ShootList state={state} controls={controls} />
    <main>
      <Problem />
      <ShootHead state={state} controls={controls} />
      <ViewTabs state={state} controls={controls} />
      <div class="body">
        <div id="view" class="view" role="tabpanel" tabIndex={-1} aria-busy={isLoading()}>
          {isLoading() || state.overview.value === undefined ? <Waiting /> : <View />}
        </div>
        <Details state={state} controls={controls} />
      </div>
    </main>
    <Scrubber state={state} controls={controls} />
    <Help state={state} />
    <Search state={state} controls={controls} />
    <ActionDialog state={state} controls={controls} />
  </>
)

effect(() => {
  document.documentElement.dataset.theme = state.theme.value
})
/** Browsers ignore more than 200 changes of the address in 10 s, and each costs 4 ms. */
const linkPauseMs = 100
let linked: ReturnType<typeof setTimeout> | undefined
effect(() => {
  const link = linkText({
    view: state.view.value,
    ...(state.shoot.value !== undefined && { shoot: state.shoot.value }),
    ...(state.at.value !== undefined && { at: state.at.value }),
    ...(state.from.value !== undefined && { from: state.from.value }),
    ...(state.node.value !== undefined && { node: state.node.value, tab: state.tab.value }),
  })
  clearTimeout(linked)
  linked = setTimeout(() => history.replaceState(null, '', `${location.pathname}${link}`), linkPauseMs)
})
effect(() => {
  document.title = `${state.shoot.value ?? 'shoots'} – Trellis console`
})
setInterval(() => {
  if (state.overview.peek()?.live) state.now.value = Date.now()
}, 1000)
listenForShortcuts(state, controls)
const place = document.getElementById('console')
if (place !== null) render(<App />, place)
void controls.load()
