import { existsSync, type FSWatcher, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../shared/clock/clock.ts'

/** Calls `onChange` whenever a file of a function has changed: its own file, or one of its last reported imports. */
export type WatchFiles = (file: string, onChange: () => void) => WatchedFiles

export interface WatchedFiles {
  /** @param readAt the start of the read, in ms since the epoch: later changes are reported at once */
  watch(files: readonly string[], readAt: number): void
  close(): void
}

/** Editors write a file in several steps; it is read this long after the last one, in ms. */
const quietMs = 60
/** The interval of attempts to open a deleted folder, in ms. */
const reopenMs = 1_000

/** Code that may belong to a function but is not yet imported. */
const isCode = (name: string): boolean => /\.[cm]?[jt]s$/.test(name) && !/\.(test|spec)\./.test(name)

/**
 * Watches folders instead of files, which editors replace. Beside the function's own file, any code counts; elsewhere,
 * only imported files.
 *
 * @param isBeside returns true for names of other files in the folder of the watched file that count. Default: code.
 */
export const fileWatch =
  (clock: Clock, isBeside: (name: string) => boolean = isCode): WatchFiles =>
  (file, onChange) => {
    const own = dirname(file)
    const watchers = new Map<string, FSWatcher | undefined>()
    let imported: ReadonlySet<string> = new Set([file])
    let cancel = (): void => {}
    let cancelReopen = (): void => {}
    const changed = (): void => {
      cancel()
      cancel = clock.after(quietMs, onChange)
    }
    const reopen = (): void => {
      cancelReopen()
      cancelReopen = clock.after(reopenMs, () => {
        for (const [folder, watcher] of watchers) if (watcher === undefined && open(folder)) changed()
        if ([...watchers.values()].includes(undefined)) reopen()
      })
    }
    /** Returns true if the folder exists. */
    const open = (folder: string): boolean => {
      const lose = (watcher: FSWatcher) => {
        watcher.close()
        if (watchers.get(folder) !== watcher) return
        watchers.set(folder, undefined)
        // Its files were deleted with it; their own notifications may arrive after the one that closed the watcher.
        changed()
        reopen()
      }
      try {
        const watcher = watch(folder, (_, name) => {
          if (name === null) return changed()
          const path = join(folder, name)
          if (imported.has(path) || (folder === own && isBeside(name))) changed()
          if (!existsSync(folder)) lose(watcher)
        })
        watcher.on('error', () => lose(watcher))
        watchers.set(folder, watcher)
        return true
      } catch {
        watchers.set(folder, undefined)
        return false
      }
    }
    open(own)
    return {
      watch: (files, readAt) => {
        imported = new Set([file, ...files])
        const folders = new Set([...imported].map(path => dirname(path)))
        for (const [folder, watcher] of watchers)
          if (!folders.has(folder)) {
            watcher?.close()
            watchers.delete(folder)
          }
        for (const folder of folders) if (!watchers.has(folder)) open(folder)
        if ([...watchers.values()].includes(undefined)) reopen()
        if ([...imported].some(path => modifiedAt(path) > readAt)) changed()
      },
      close: () => {
        cancel()
        cancelReopen()
        for (const watcher of watchers.values()) watcher?.close()
        watchers.clear()
      },
    }
  }

const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
