/** The buttons over the text, with the mouse. */
import { expect, test } from '../fixtures/inspector.ts';
import { logLine, writeLines } from '../fixtures/logs.ts';

test('each button does at a click what its key does', async ({ inspector, page }) => {
  const text = await inspector.open([writeLines(inspector.folder, 'app.log', 5000, logLine)]);
  await text.counted(5000);
  const button = (name: string) =>
    page.getByRole('toolbar', { name: 'Text' }).getByRole('button', { name, exact: true });
  await button('Tail').click();
  await expect(text.row(5000)).toBeInViewport();
  await button('Head').click();
  await expect(text.row(1)).toBeInViewport();
  for (const name of ['Summary', 'Details']) {
    const panel = page.getByRole('complementary', { name });
    await button(name).click();
    await expect(panel).toBeVisible();
    await button(name).click();
    await expect(panel).toHaveCount(0);
  }
  const isOn = button('Follow');
  const before = await isOn.getAttribute('aria-pressed');
  await isOn.click();
  await expect(isOn).toHaveAttribute('aria-pressed', before === 'true' ? 'false' : 'true');
  await button('Search').click();
  await expect(page.getByRole('textbox', { name: 'Pattern' })).toBeFocused();
});
