"""What figures have in common: axes, ticks and legends."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis


def plain_axes(axes: Axes) -> Axes:
    """Return axes without a frame on the right and at the top."""
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def bare_axes(axes: Axes) -> Axes:
    """Return axes that show nothing of themselves."""
    axes.set_axis_off()
    return axes


def whole_numbers(axis: Axis) -> None:
    """Put ticks at whole numbers only: there is no half expansion."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))


def legend_above(axes: Axes, columns: int = 3) -> None:
    """Put the legend above the axes at the right, where it hides nothing."""
    axes.legend(
        frameon=False,
        fontsize=8,
        ncols=columns,
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=0.2,
        columnspacing=1.2,
    )
