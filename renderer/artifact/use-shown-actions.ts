/** Binds the keys of a shown artifact: those of its panels, text, search and filters. */
import { useActions } from '../commands/registry.ts';
import { type FilterContext, filterActions } from '../filters/actions.ts';
import { type HighlightContext, highlightActions } from '../highlight/actions.ts';
import { histogramActions, type Timeline } from '../histogram/actions.ts';
import { type SearchSwitchContext, searchActions, searchSwitchActions } from '../search/actions.ts';
import {
  type ArtifactContext,
  artifactActions,
  type PanelContext,
  panelActions,
  stopActions,
  type UndoContext,
  undoActions,
} from './actions.ts';
import type { StopContext } from './stop/use-stop.ts';

interface ShownActionsOptions extends ArtifactContext {
  panels: PanelContext;
  searchSwitch: SearchSwitchContext;
  stop: StopContext;
  undoing: UndoContext;
  filtering: FilterContext;
  timeline: Timeline;
  highlighting: HighlightContext;
}

export function useShownActions(options: ShownActionsOptions): void {
  const { viewer, search, artifact, stream } = options;
  useActions(panelActions, options.panels);
  useActions(artifactActions, { viewer, search, artifact, stream });
  useActions(searchSwitchActions, options.searchSwitch);
  useActions(searchActions, search);
  useActions(stopActions, options.stop);
  useActions(undoActions, options.undoing);
  useActions(filterActions, options.filtering);
  useActions(histogramActions, options.timeline);
  useActions(highlightActions, options.highlighting);
}
