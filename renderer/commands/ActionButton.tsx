/** The button of an action: its label, icon and key, the whole name on hover. */
import { Button, type ButtonProps } from '../ui/controls/Button.tsx';
import { type Action, titleOf } from './action.ts';

interface ActionButtonProps<Context> extends ButtonProps {
  action: Action<Context>;
  context: Context;
}

export function ActionButton<Context>({
  action,
  context,
  children,
  onClick,
  ...rest
}: ActionButtonProps<Context>) {
  const { icon, keys, label, name, isOn } = action;
  return (
    <Button
      {...(icon ? { icon } : {})}
      {...(keys[0] === undefined ? {} : { shortcut: keys[0] })}
      {...(isOn ? { pressed: isOn(context) } : {})}
      label={label ?? name}
      title={titleOf(action)}
      {...rest}
      // A toolbar has a handler of its own for its buttons.
      onClick={(event) => {
        onClick?.(event);
        action.run(context, null);
      }}
    >
      {children}
    </Button>
  );
}
