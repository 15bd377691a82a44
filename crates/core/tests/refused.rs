//! A machine that refuses memory: whatever the large block, and whenever, a search ends with what it has or with an
//! error, its tree is whole, and nothing is aborted.

#![allow(unsafe_code)] // an allocator is
#![allow(clippy::unwrap_used)]

use conspirator_core::any::{self, Evaluation};
use conspirator_core::games::GAMES;
use conspirator_core::numbers::distributions::{Certainty, ErrorModel};
use conspirator_core::registry;
use conspirator_core::search::{Budget, Saved, Unattended};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

/// Blocks from this size on are refused: what is smaller is there, or the machine is lost anyway.
const LARGE: usize = 1 << 20;

thread_local! {
    /// How many large blocks there still are for this thread.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

struct Scarce;

impl Scarce {
    fn refuses(&self, size: usize) -> bool {
        size >= LARGE
            && LEFT.with(|left| {
                let now = left.get();
                left.set(now.saturating_sub(u64::from(now != u64::MAX)));
                now == 0
            })
    }
}

// SAFETY: what is not refused is the system's
unsafe impl GlobalAlloc for Scarce {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.refuses(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: the caller's word
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's word
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match size > layout.size() && self.refuses(size) {
            true => std::ptr::null_mut(),
            // SAFETY: the caller's word
            false => unsafe { System.realloc(block, layout, size) },
        }
    }
}

#[global_allocator]
static SCARCE: Scarce = Scarce;

/// Does something with so many large blocks.
fn with_blocks<T>(blocks: u64, action: impl FnOnce() -> T) -> T {
    LEFT.with(|left| left.set(blocks));
    let done = action();
    LEFT.with(|left| left.set(u64::MAX));
    done
}

#[test]
fn every_search_lives_with_what_it_gets() {
    let budget = Budget { nodes: Some(60_000), memory: Some(1 << 30), ..Budget::default() };
    for game in ["connect-four", "othello", "random-tree"] {
        let game = any::make(game, &[]).unwrap();
        let position = game.start().unwrap();
        for info in registry::searches() {
            for blocks in 0..8 {
                let whole = with_blocks(blocks, || {
                    let made =
                        registry::start(&*position, info.name, &[], Evaluation::default(), false);
                    let mut search = made.ok()?;
                    search.run(&budget, &mut Unattended).ok().map(|()| search)
                });
                if let Some(search) = whole {
                    search.check().unwrap();
                    search.report();
                }
            }
        }
    }
}

#[test]
fn every_evaluator_lives_with_what_it_gets() {
    let budget = Budget { nodes: Some(150), memory: Some(1 << 30), ..Budget::default() };
    for info in GAMES {
        let Ok(game) = any::make(info.name, &[]) else { continue };
        let position = game.start().unwrap();
        for evaluator in game.evaluators() {
            for blocks in 0..3 {
                let whole = with_blocks(blocks, || {
                    let name = Some(evaluator.name.to_string());
                    let own = conspirator_core::judge::Wanted { name, params: Vec::new() };
                    let evaluation = Evaluation { own, ..Evaluation::default() };
                    let made = registry::start(&*position, "best-first", &[], evaluation, false);
                    let mut search = made.ok()?;
                    search.run(&budget, &mut Unattended).ok().map(|()| search)
                });
                if let Some(search) = whole {
                    search.check().unwrap();
                }
            }
        }
    }
}

#[test]
fn a_tree_that_does_not_fit_is_refused() {
    let position = any::make("connect-four", &[]).unwrap().start().unwrap();
    let budget = Budget { nodes: Some(60_000), ..Budget::default() };
    let table = vec![0.6, 0.4, 0.5, 0.3];
    let model = ErrorModel::table(vec![1.0, 512.0, 1023.0], vec![0.0], vec![512.0], table).unwrap();
    let model = Arc::new(model);
    let evaluation = || {
        let certainty = Certainty { model: model.clone(), phase: 42.0, rho: 0.5, root_rho: 0.5 };
        Evaluation { certainty: Some(certainty), ..Evaluation::default() }
    };
    for name in registry::growing() {
        let mut search = registry::start(&*position, name, &[], evaluation(), false).unwrap();
        search.run(&budget, &mut Unattended).unwrap();
        let bytes = search.saved().unwrap().encode();
        for blocks in 0..12 {
            let whole = with_blocks(blocks, || {
                let saved = Saved::decode(&bytes).ok()?;
                registry::restore(&*position, name, &[], evaluation(), saved).ok()
            });
            if let Some(restored) = whole {
                restored.check().unwrap();
            }
        }
    }
}
