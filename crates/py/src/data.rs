//! Trees as Python dictionaries, read without recursion: depth is limited by memory alone.

use crate::error::{one_line, GameError};
use conspirator_core::games::{ExplicitTree, Scored, TreeNode};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use std::collections::HashMap;

const FIELDS: &str = "value, children, to_move, terminal, upper, lower, score, error, p";

/// A node that is read, and the way back to the root.
struct Pending<'py> {
    data: Bound<'py, PyAny>,
    parent: usize,
    place: usize,
}

/// Reads a tree: breadth-first, so that the nodes come in the order that the core wants.
pub fn read_tree(root: &Bound<'_, PyAny>) -> PyResult<ExplicitTree> {
    let py = root.py();
    let mut queue = vec![Pending { data: root.clone(), parent: 0, place: 0 }];
    let mut nodes: Vec<TreeNode> = Vec::new();
    refuse_cycles(root)?;
    let mut id = 0;
    while id < queue.len() {
        let complain = |queue: &[Pending], what: String| {
            GameError::new_err(one_line(format!("{what} ({})", path(queue, id))))
        };
        let Ok(data) = queue[id].data.clone().cast_into::<PyDict>() else {
            let kind = queue[id].data.get_type().name()?;
            return Err(complain(
                &queue,
                format!("a node of a tree must be a dictionary, not {kind}"),
            ));
        };
        let parent_max = if id == 0 { false } else { nodes[queue[id].parent].max_to_move };
        let mut node = TreeNode {
            value: f64::NAN,
            max_to_move: !parent_max,
            first: 0,
            count: 0,
            terminal: false,
            bounds: None,
            scored: Scored::No,
            likely: None,
        };
        let mut children = Vec::new();
        for (key, item) in &data {
            let Ok(key) = key.extract::<String>() else {
                return Err(complain(&queue, "the fields of a node have names".into()));
            };
            let problem = match key.as_str() {
                "value" => read_value(&item, &mut node.value),
                "children" => read_children(&item, &mut children),
                "to_move" => read_mover(&item, &mut node.max_to_move),
                "terminal" => match item.cast::<PyBool>() {
                    Ok(flag) => {
                        node.terminal = flag.is_true();
                        None
                    }
                    Err(_) => Some("terminal must be true or false".into()),
                },
                "upper" | "lower" => read_bounds(&key, &item, &mut node),
                "score" | "error" => read_score(&key, &item, &mut node.scored),
                "p" => read_likely(&item, &mut node.likely),
                other => Some(format!("unknown field '{other}'; known: {FIELDS}")),
            };
            if let Some(problem) = problem {
                return Err(complain(&queue, problem));
            }
        }
        if children.len() > usize::from(u16::MAX) {
            return Err(complain(&queue, format!("{} children; at most 65535", children.len())));
        }
        if let (true, Some(likely)) = (node.value.is_nan(), &node.likely) {
            // the mean of outcomes from 0 to 1
            let step = 1.0 / (likely.len() - 1) as f64;
            node.value = (0..).zip(likely).map(|(at, p)| f64::from(at) * step * p).sum();
        }
        match (node.value.is_nan(), children.is_empty()) {
            (true, true) => {
                return Err(complain(&queue, "a node without children needs a value".into()))
            }
            (true, false) => node.value = 0.0, // never looked at by games that only have results
            (false, false) if !node.value.is_finite() => {
                return Err(complain(
                    &queue,
                    "only the end of a game may have an infinite value".into(),
                ));
            }
            _ => {}
        }
        if let Some(bounds) = &mut node.bounds {
            for list in [&mut bounds.upper, &mut bounds.lower] {
                if list.is_empty() {
                    list.push(node.value);
                }
            }
            if let Err(problem) = bounds.check(node.value) {
                return Err(complain(&queue, problem.to_string()));
            }
        }
        if node.terminal && !children.is_empty() {
            return Err(complain(&queue, "a terminal node cannot have children".into()));
        }
        if !children.is_empty() {
            node.first = queue.len() as u32;
            node.count = children.len() as u16;
        }
        for (place, data) in children.into_iter().enumerate() {
            queue.push(Pending { data, parent: id, place });
        }
        if queue.len() > u32::MAX as usize {
            return Err(complain(&queue, "too many nodes".into()));
        }
        if id % 65536 == 65535 {
            py.check_signals()?;
        }
        nodes.push(node);
        id += 1;
    }
    crate::error::checked(py, ExplicitTree::new(nodes))
}

/// A finite number, or an infinity as JSON can carry it: the words "inf" and "-inf".
fn read_value(item: &Bound<'_, PyAny>, value: &mut f64) -> Option<String> {
    if let Ok(word) = item.cast::<PyString>() {
        *value = match word.to_str() {
            Ok("inf") => f64::INFINITY,
            Ok("-inf") => f64::NEG_INFINITY,
            _ => return Some(format!("value must be a number, 'inf' or '-inf', not {item:?}")),
        };
        return None;
    }
    match item.extract::<f64>() {
        Ok(number) if !number.is_nan() && !item.is_instance_of::<PyBool>() => {
            *value = number;
            None
        }
        _ => Some(format!("value must be a number, 'inf' or '-inf', not {item:?}")),
    }
}

/// How good the move to a node is: its score, or its relative error.
fn read_score(key: &str, item: &Bound<'_, PyAny>, scored: &mut Scored) -> Option<String> {
    let number = item.extract::<f64>().ok().filter(|_| !item.is_instance_of::<PyBool>());
    let number = number.filter(|number| number.is_finite() && *number >= 0.0);
    *scored = match (number, *scored, key) {
        (None, ..) => {
            return Some(format!("{key} must be a finite number from 0 up, not {item:?}"))
        }
        (Some(score), Scored::No, "score") => Scored::Score(score),
        (Some(error), Scored::No, _) => Scored::Error(error),
        _ => return Some("a move has a score or an error, not both".into()),
    };
    None
}

/// How likely each outcome is: a list of two probabilities at least, which sum to 1.
fn read_likely(item: &Bound<'_, PyAny>, likely: &mut Option<Box<[f64]>>) -> Option<String> {
    match item.extract::<Vec<f64>>() {
        Ok(list)
            if list.len() > 1
                && list.iter().all(|p| (0.0..=1.0).contains(p))
                && (list.iter().sum::<f64>() - 1.0).abs() < 1e-9 =>
        {
            *likely = Some(list.into());
            None
        }
        _ => Some("p must be a list of two probabilities or more, which sum to 1".into()),
    }
}

/// A list of bounds from the evaluator; the other list is the value alone unless it is given too.
fn read_bounds(key: &str, item: &Bound<'_, PyAny>, node: &mut TreeNode) -> Option<String> {
    let Ok(items) = item.try_iter() else {
        return Some(format!("{key} must be a list of numbers"));
    };
    let mut list = Vec::new();
    for item in items {
        let mut value = f64::NAN;
        match item {
            Ok(item) => {
                if let Some(problem) = read_value(&item, &mut value) {
                    return Some(problem.replace("value", key));
                }
            }
            Err(_) => return Some(format!("{key} must be a list of numbers")),
        }
        list.push(value);
    }
    let bounds = node.bounds.get_or_insert_default();
    *(if key == "upper" { &mut bounds.upper } else { &mut bounds.lower }) = list;
    None
}

fn read_children<'py>(
    item: &Bound<'py, PyAny>,
    children: &mut Vec<Bound<'py, PyAny>>,
) -> Option<String> {
    if let Ok(list) = item.cast::<PyList>() {
        children.extend(list.iter());
    } else if let Ok(tuple) = item.cast::<PyTuple>() {
        children.extend(tuple.iter());
    } else {
        return Some("children must be a list of nodes".into());
    }
    None
}

fn read_mover(item: &Bound<'_, PyAny>, max: &mut bool) -> Option<String> {
    match item.extract::<&str>() {
        Ok("max") => *max = true,
        Ok("min") => *max = false,
        _ => return Some(format!("to_move must be 'max' or 'min', not {item:?}")),
    }
    None
}

/// A dictionary may stand in several places, but not below itself: looks at each of them once.
fn refuse_cycles(root: &Bound<'_, PyAny>) -> PyResult<()> {
    fn children<'py>(node: &Bound<'py, PyAny>) -> Vec<Bound<'py, PyAny>> {
        let key = pyo3::intern!(node.py(), "children");
        let mut children = Vec::new();
        if let Ok(Some(list)) = node.cast::<PyDict>().map_or(Ok(None), |data| data.get_item(key)) {
            read_children(&list, &mut children); // what is wrong with it is told later
        }
        children
    }
    let mut finished: HashMap<usize, bool> = HashMap::from([(root.as_ptr() as usize, false)]);
    let mut path = vec![(root.as_ptr() as usize, children(root).into_iter().enumerate(), 0)];
    while let Some((node, rest, at)) = path.last_mut() {
        let Some((place, child)) = rest.next() else {
            finished.insert(*node, true);
            path.pop();
            continue;
        };
        *at = place;
        let id = child.as_ptr() as usize;
        match finished.get(&id) {
            Some(true) => {}
            Some(false) => {
                let places = path.iter().map(|(.., place)| place.to_string()).collect();
                return Err(GameError::new_err(format!(
                    "the tree is cyclic: a node stands below itself ({})",
                    describe(places)
                )));
            }
            None => {
                finished.insert(id, false);
                path.push((id, children(&child).into_iter().enumerate(), 0));
            }
        }
    }
    Ok(())
}

/// Where in the data a node is.
fn path(queue: &[Pending], id: usize) -> String {
    let mut places = Vec::new();
    let mut at = id;
    while at > 0 {
        places.push(queue[at].place.to_string());
        at = queue[at].parent;
    }
    places.reverse();
    describe(places)
}

/// "at the root" or "at node 0.2.1", cut where it is long.
fn describe(places: Vec<String>) -> String {
    match places.len() {
        0 => "at the root".into(),
        1..=20 => format!("at node {}", places.join(".")),
        ply => format!("at node {}..., ply {ply}", places[..16].join(".")),
    }
}
