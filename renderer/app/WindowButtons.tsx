/** The window's buttons at both ends of the bar above the text. */
import type { Ref } from 'react';
import { ActionButton } from '../commands/ActionButton.tsx';
import { connectActions } from '../connect/actions.ts';
import { type ListContext, listActions } from '../library/actions.ts';
import { ThemeMenu } from '../theme/ThemeMenu.tsx';
import { type WindowContext, windowActions } from './actions.ts';
import styles from './WindowButtons.module.css';

interface ListButtonProps {
  button: Ref<HTMLButtonElement>;
  list: ListContext;
}

/** Shows the list again. */
export function ListButton({ button, list }: ListButtonProps) {
  return (
    <ActionButton
      ref={button}
      tone="quiet"
      iconOnly
      action={listActions.show}
      context={list}
      label="Show the list"
    />
  );
}

interface WindowButtonsProps {
  context: WindowContext & { showAgents: () => void };
}

export function WindowButtons({ context }: WindowButtonsProps) {
  return (
    <>
      {/* Hidden in a narrow pane: keys and the welcome screen lead there, too. */}
      <span className={styles.more}>
        <ActionButton tone="quiet" iconOnly action={windowActions.palette} context={context} />
        <ActionButton tone="quiet" iconOnly action={connectActions.agents} context={context} />
      </span>
      <ThemeMenu />
      <ActionButton tone="quiet" iconOnly action={windowActions.keys} context={context} />
    </>
  );
}
